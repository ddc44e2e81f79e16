import type { CommandEntry } from './command.js'

/** All commands of `kontor`, in the order of its help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    kind: 'unloaded',
    name: 'serve',
    summary: 'answer REST requests',
    load: async () => (await import('./serve.js')).serveCommand,
  },
  {
    kind: 'unloaded',
    name: 'health',
    summary: 'ask whether a running service is alive and ready',
    load: async () => (await import('./health.js')).healthCommand,
  },
  {
    kind: 'unloaded',
    name: 'demo',
    summary: 'fill the workspace demo with invented data',
    load: async () => (await import('./demo.js')).demoCommand,
  },
  {
    kind: 'unloaded',
    name: 'import',
    summary: 'bring bank files into a workspace',
    load: async () => {
      const { importCommand } = await import('./import.js')
      return importCommand((await import('../statements/formats.js')).FORMATS)
    },
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
    summary: 'API keys',
    load: async () => (await import('./keys.js')).keysCommands,
  },
  {
    kind: 'unloaded',
    name: 'integrations',
    summary: 'what other programs are let in by',
    load: async () => (await import('./integrations.js')).integrationsCommands,
  },
  {
    kind: 'unloaded',
    name: 'clients',
    summary: 'programs that operators may let in by OAuth 2.1',
    load: async () => (await import('./clients.js')).clientsCommands,
  },
  {
    kind: 'unloaded',
    name: 'grants',
    summary: 'what operators have consented to',
    load: async () => (await import('./grants.js')).grantsCommands,
  },
  {
    kind: 'unloaded',
    name: 'operators',
    summary: 'people who may sign in',
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
    summary: 'put a backup back as a data directory',
    load: async () => (await import('./restore.js')).restoreCommand,
  },
  {
    kind: 'unloaded',
    name: 'check',
    summary: 'look for faults in the data directory',
    load: async () => (await import('./check.js')).checkCommand,
  },
  {
    kind: 'unloaded',
    name: 'doctor',
    summary: 'try whether programs get in, and say why not',
    load: async () => (await import('./doctor.js')).doctorCommand,
  },
  {
    kind: 'unloaded',
    name: 'audit',
    summary: 'who was let in, made, changed or refused what',
    load: async () => (await import('./audit.js')).auditCommand,
  },
  {
    kind: 'unloaded',
    name: 'workspaces',
    summary: 'what there is to serve',
    load: async () => (await import('./workspaces.js')).workspacesCommands,
  },
]
