import type { CommandEntry } from './command.js'

/** All commands of `kontor`, in the order of its help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    kind: 'unloaded',
    name: 'serve',
    summary: 'start the server',
    load: async () => (await import('./serve.js')).serveCommand,
  },
  {
    kind: 'unloaded',
    name: 'health',
    summary: 'check whether a running server is alive and ready',
    load: async () => (await import('./health.js')).healthCommand,
  },
  {
    kind: 'unloaded',
    name: 'demo',
    summary: 'fill the workspace demo with generated data',
    load: async () => (await import('./demo.js')).demoCommand,
  },
  {
    kind: 'unloaded',
    name: 'import',
    summary: 'import bank files into a workspace',
    load: async () => {
      const { importCommand } = await import('./import.js')
      return importCommand((await import('../statements/formats.js')).FORMATS)
    },
  },
  {
    kind: 'unloaded',
    name: 'inbox',
    summary: 'import the bank files that appear in a folder',
    load: async () => (await import('./inbox.js')).inboxCommand,
  },
  {
    kind: 'unloaded',
    name: 'export',
    summary: 'print a workspace as NDJSON',
    load: async () => (await import('./export.js')).exportCommand,
  },
  {
    kind: 'unloaded',
    name: 'keys',
    summary: 'create, list, rotate and revoke API keys',
    load: async () => (await import('./keys.js')).keysCommands,
  },
  {
    kind: 'unloaded',
    name: 'integrations',
    summary: 'OAuth 2.1 issuers and MCP endpoints for other programs',
    load: async () => (await import('./integrations.js')).integrationsCommands,
  },
  {
    kind: 'unloaded',
    name: 'clients',
    summary: 'OAuth 2.1 clients that operators can authorize',
    load: async () => (await import('./clients.js')).clientsCommands,
  },
  {
    kind: 'unloaded',
    name: 'grants',
    summary: 'access that operators have granted to clients',
    load: async () => (await import('./grants.js')).grantsCommands,
  },
  {
    kind: 'unloaded',
    name: 'operators',
    summary: 'people who can sign in to the dashboard',
    load: async () => (await import('./operators.js')).operatorsCommands,
  },
  {
    kind: 'unloaded',
    name: 'backup',
    summary: 'copy the data directory while it is in use',
    load: async () => (await import('./backup.js')).backupCommand,
  },
  {
    kind: 'unloaded',
    name: 'restore',
    summary: 'restore a backup to a data directory',
    load: async () => (await import('./restore.js')).restoreCommand,
  },
  {
    kind: 'unloaded',
    name: 'check',
    summary: 'check the data directory for damage',
    load: async () => (await import('./check.js')).checkCommand,
  },
  {
    kind: 'unloaded',
    name: 'nodes',
    summary: 'list the servers of a database',
    load: async () => (await import('./nodes.js')).nodesCommand,
  },
  {
    kind: 'unloaded',
    name: 'store',
    summary: 'copy between a data directory and PostgreSQL',
    load: async () => (await import('./store.js')).storeCommands,
  },
  {
    kind: 'unloaded',
    name: 'doctor',
    summary: 'test whether clients can connect, and explain failures',
    load: async () => (await import('./doctor.js')).doctorCommand,
  },
  {
    kind: 'unloaded',
    name: 'audit',
    summary: 'show the audit log: access, changes and refusals',
    load: async () => (await import('./audit.js')).auditCommand,
  },
  {
    kind: 'unloaded',
    name: 'workspaces',
    summary: 'list and delete workspaces',
    load: async () => (await import('./workspaces.js')).workspacesCommands,
  },
]
