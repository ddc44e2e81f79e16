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
        'It asks from the internet, so the address has to be reachable from there.',
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
        'Put this into ~/.cursor/mcp.json, or .cursor/mcp.json of a project.',
        'It signs in by OAuth, with dynamic registration, or with a client id of yours in “auth”.',
      ],
      snippet: { label: 'mcp.json', code: json({ mcpServers: { kontor: { url: endpoint } } }) },
      redirectUris: ['cursor://anysphere.cursor-mcp/oauth/callback'],
    },
    {
      name: 'VS Code',
      steps: [
        'Put this into .vscode/mcp.json, and start the server from there.',
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
        'It asks from the internet, so the address has to be reachable from there, by https.',
      ],
      redirectUris: [],
    },
    {
      name: 'A client that runs a command, through mcp-remote',
      steps: [
        'For clients that speak to a program on their machine alone: this is its command.',
        'The key is in the variable MCP_KEY, which no list of processes shows.',
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
        'Streamable HTTP at the address, exactly as it stands here: no slash at its end.',
        'OAuth needs MCP revision 2025-06-18 or newer in the client. With a key it needs none: ' +
          'the key is sent as Authorization: Bearer.',
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
