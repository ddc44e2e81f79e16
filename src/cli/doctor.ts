import type { AdminContext } from '../admin/admin-context.js'
import { findIntegration, type Integration } from '../admin/integrations.js'
import { runDoctor } from '../doctor/doctor.js'
import type { StepResult } from '../doctor/finding.js'
import { CommandError } from '../errors.js'
import { BASE_URL_FLAG, readBaseUrl } from './base-url.js'
import { defineCommand } from './command.js'
import { withAdmin } from './control.js'
import type { Output } from './terminal.js'

export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'try whether programs get in, and say why not',
  description:
    'Walks the way of a program that has never been here: asks a running server, over HTTP, for\n' +
    'what clients ask on their way in, signs in as a client of its own, and calls what the\n' +
    'integration opens. Each step says what was asked, what came, and how to mend it. Run it\n' +
    'where the data directory is, with the base URL that clients use. What it makes for that (a\n' +
    'client, a grant, a key) is removed when it is done; the audit log tells of it. KONTOR_KEY\n' +
    'instead of --key keeps a key out of what others see of a process.',
  flags: {
    integration: {
      kind: 'text',
      placeholder: 'I',
      isRequired: true,
      summary: 'what is to be tried, as listed by kontor integrations list',
    },
    'base-url': BASE_URL_FLAG,
    key: {
      kind: 'text',
      placeholder: 'K',
      summary: 'an mcp- key to try; one is made, and revoked afterwards, without it',
    },
  },
  examples: [
    'kontor doctor --integration 4f0c1d2e3a4b5c6d7e8f',
    'kontor doctor --integration 4f0c1d2e3a4b5c6d7e8f --base-url https://bank.example.org --json',
  ],
  run: async (call) => {
    const { flags, stdout, clock } = call
    const baseUrl = readBaseUrl(flags['base-url']) ?? ''
    const results: StepResult[] = []
    await withAdmin(call, async (admin) => {
      const integration = requireIntegration(admin, flags)
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
function requireIntegration(
  admin: AdminContext,
  { integration: id, key }: { readonly integration: string; readonly key: string | undefined },
): Integration {
  const integration = findIntegration(admin, id)
  if (integration === undefined) {
    const advice = 'kontor integrations list shows all'
    throw new CommandError('failed', `there is no integration ${JSON.stringify(id)}; ${advice}`)
  }
  if (key === undefined || integration.kind === 'mcp') return integration
  throw new CommandError('usage', '--key is for mcp integrations; an oauth2 one has no keys')
}

async function writeResult(output: Output, result: StepResult): Promise<void> {
  const lines = [`${result.outcome.padEnd(7)}  ${result.title}`]
  const told = {
    asked: result.outcome === 'skipped' ? undefined : result.request,
    came: result.observed,
    mend: result.outcome === 'ok' ? undefined : result.fix,
  }
  for (const [name, text] of Object.entries(told)) {
    if (text !== undefined) lines.push(`         ${name.padEnd(5)}  ${text}`)
  }
  await output.write(`${lines.join('\n')}\n`)
}
