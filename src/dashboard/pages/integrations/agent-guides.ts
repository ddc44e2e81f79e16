/** The setup of one MCP client for an endpoint. */
export interface AgentGuide {
  readonly name: string
  /** Sentences: where to paste it, and how the client signs in. */
  readonly steps: readonly string[]
  /** The text to paste; absent = the address alone. */
  readonly snippet?: { readonly label: string; readonly code: string }
  /** The redirect URIs, for a client that is created by hand. */
  readonly redirectUris: readonly string[]
}

/** The placeholder for a key in a file: the key itself is shown once, when it is created. */
const KEY = 'mcp-YOUR_KEY'

/**
 * The same on a command line, for a program that reads the variable itself: in single quotes, the
 * key is neither in a shell's history nor in a list of processes.
 */
export const KEY_HEADER_FLAG = `--header 'Authorization: Bearer \${MCP_KEY}'`

const json = (value: unknown): string => JSON.stringify(value, undefined, 2)

/**
 * The setup of common MCP clients, as their vendors describe it.
 * @param endpoint its URL, exactly as it must be typed
 */
export function agentGuides(endpoint: string): AgentGuide[] {
  return [
    {
      name: 'Claude, on the web and desktop',
      steps: [
        'Settings, Connectors, Add custom connector; the address below is its URL.',
        'It connects from the internet, so the address must be reachable from there.',
        'Without dynamic registration, fill in client id and secret under Advanced settings.',
      ],
      redirectUris: ['https://claude.ai/api/mcp/auth_callback'],
    },
    {
      name: 'Claude Code',
      steps: [
        'Run this, then /mcp in a session to sign in.',
        `With a key instead, in MCP_KEY where it runs, add: --scope project ${KEY_HEADER_FLAG}.`,
        'Without dynamic registration, add: --client-id CLIENT_ID --callback-port 8765.',
      ],
      snippet: { label: 'shell', code: `claude mcp add --transport http kontor ${endpoint}` },
      redirectUris: ['http://localhost:8765/callback'],
    },
    {
      name: 'Cursor',
      steps: [
        'Add this to ~/.cursor/mcp.json, or to .cursor/mcp.json of a project.',
        'It signs in by OAuth, with dynamic registration, or with your own client id in “auth”.',
      ],
      snippet: { label: 'mcp.json', code: json({ mcpServers: { kontor: { url: endpoint } } }) },
      redirectUris: ['cursor://anysphere.cursor-mcp/oauth/callback'],
    },
    {
      name: 'VS Code',
      steps: [
        'Add this to .vscode/mcp.json, and start the server from there.',
        'Without dynamic registration it asks for a client id.',
      ],
      snippet: {
        label: 'mcp.json',
        code: json({ servers: { kontor: { type: 'http', url: endpoint } } }),
      },
      redirectUris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
    },
    ...otherGuides(endpoint),
  ]
}

function otherGuides(endpoint: string): AgentGuide[] {
  return [
    {
      name: 'ChatGPT',
      steps: [
        'Settings, Apps, in developer mode: Create; the address below, authentication OAuth.',
        'It needs dynamic registration, or a client id and the redirect URI that it shows.',
        'It connects from the internet, so the address must be reachable from there by https.',
      ],
      redirectUris: [],
    },
    {
      name: 'A client that runs a command, through mcp-remote',
      steps: [
        'For clients that can only start a local program: this is its command.',
        'The key is in the variable MCP_KEY, so that no process list shows it.',
        'Without the header it signs in by OAuth, with dynamic registration.',
      ],
      snippet: {
        label: 'shell',
        code: `npx mcp-remote ${endpoint} ${KEY_HEADER_FLAG}`,
      },
      redirectUris: [],
    },
    {
      name: 'Any other client',
      steps: [
        'Streamable HTTP at exactly this address, without a trailing slash.',
        'OAuth requires MCP revision 2025-06-18 or newer in the client. A key does not: ' +
          'it is sent as Authorization: Bearer.',
      ],
      snippet: {
        label: 'JSON with a key',
        code: json({
          mcpServers: {
            kontor: {
              type: 'http',
              url: endpoint,
              headers: { Authorization: `Bearer ${KEY}` },
            },
          },
        }),
      },
      redirectUris: [],
    },
  ]
}
