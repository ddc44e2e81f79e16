import type { AdminContext } from '../admin/admin-context.js'
import { findIntegration, type Integration } from '../admin/integrations.js'
import { runDoctor } from '../doctor/doctor.js'
import type { StepResult } from '../doctor/finding.js'
import { CommandError } from '../errors.js'
import type { EpochMs } from '../instant.js'
import { BASE_URL_FLAG, readBaseUrl } from './base-url.js'
import { defineCommand } from './command.js'
import { adminOf, withStore } from './control.js'
import type { Output } from './terminal.js'

export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'test whether clients can connect, and explain failures',
  description:
    'Connects to a running server over HTTP as a new client would: requests the metadata, signs\n' +
    'in with a temporary client, and calls what the integration offers. Each step prints the\n' +
    'request, what was observed and how to fix it. Run it on the machine of the data directory,\n' +
    'with the base URL that clients use. The temporary client, grant and key are removed at the\n' +
    'end; the audit log keeps a record of them. Set KONTOR_KEY instead of --key to keep a key\n' +
    'out of the process list.',
  flags: {
    integration: {
      kind: 'text',
      placeholder: 'I',
      isRequired: true,
      summary: 'id of the integration to test, as shown by kontor integrations list',
    },
    'base-url': BASE_URL_FLAG,
    key: {
      kind: 'text',
      placeholder: 'K',
      summary: 'an mcp- key to test; by default one is created and revoked afterwards',
    },
  },
  examples: [
    'kontor doctor --integration 4f0c1d2e3a4b5c6d7e8f',
    'kontor doctor --integration 4f0c1d2e3a4b5c6d7e8f --base-url https://bank.example.org --json',
  ],
  run: async (call) => {
    const { flags, stdout } = call
    const baseUrl = readBaseUrl(flags['base-url']) ?? ''
    const results: StepResult[] = []
    await withStore(call, async (store) => {
      const admin = adminOf(store)
      const integration = await requireIntegration(admin, flags)
      const clock = (): EpochMs => store.clock()
      const run = { ...admin, integration, baseUrl, key: flags.key, clock }
      for await (const result of runDoctor(run)) {
        results.push(result)
        if (!flags.json) await writeResult(stdout, result)
      }
    })
    const faults = results.filter(({ outcome }) => outcome === 'failed')
    const isHealthy = faults.length === 0
    if (flags.json) await stdout.write(`${JSON.stringify({ ok: isHealthy, steps: results })}\n`)
    if (isHealthy) return
    const first = faults[0]?.title
    throw new CommandError('failed', `${faults.length} of ${results.length} steps failed: ${first}`)
  },
})

/** @throws CommandError */
async function requireIntegration(
  admin: AdminContext,
  { integration: id, key }: { readonly integration: string; readonly key: string | undefined },
): Promise<Integration> {
  const integration = await findIntegration(admin, id)
  if (integration === undefined) {
    const advice = 'kontor integrations list shows all'
    throw new CommandError('failed', `there is no integration ${JSON.stringify(id)}; ${advice}`)
  }
  if (key === undefined || integration.kind === 'mcp') return integration
  throw new CommandError(
    'usage',
    '--key applies only to mcp integrations; an oauth2 integration has no keys',
  )
}

async function writeResult(output: Output, result: StepResult): Promise<void> {
  const lines = [`${result.outcome.padEnd(7)}  ${result.title}`]
  const printed = {
    request: result.outcome === 'skipped' ? undefined : result.request,
    observed: result.observed,
    fix: result.outcome === 'ok' ? undefined : result.fix,
  }
  for (const [name, text] of Object.entries(printed)) {
    if (text !== undefined) lines.push(`         ${name.padEnd(8)}  ${text}`)
  }
  await output.write(`${lines.join('\n')}\n`)
}
