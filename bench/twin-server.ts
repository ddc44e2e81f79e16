// The twin as a process: Fastify over SQLite, without authentication.   node twin-server.js FILE
// The header field X-Accounts names a caller's accounts, because the twin has no keys.
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { Twin, type TwinPage, type TwinQuery } from './twin.js'

const twin = new Twin(process.argv[2] ?? '')
const app = Fastify()

function accountsOf(request: FastifyRequest): readonly number[] | undefined {
  const field = request.headers['x-accounts']
  return typeof field === 'string' ? field.split(',').map(Number) : undefined
}

function reply(to: FastifyReply, page: TwinPage): FastifyReply {
  return to.header('X-Total-Count', page.total).type('application/json').send(page.json)
}

app.get<{ Querystring: TwinQuery }>('/v1/:workspaceId/transactions', (request, to) =>
  reply(to, twin.page(request.query, { accountIds: accountsOf(request) })),
)

app.get<{ Querystring: TwinQuery; Params: { accountId: string } }>(
  '/v1/:workspaceId/accounts/:accountId/transactions',
  (request, to) =>
    reply(to, twin.page(request.query, { accountIds: [Number(request.params.accountId)] })),
)

app.get<{ Querystring: TwinQuery; Params: { iban: string } }>(
  '/v1/:workspaceId/counterpart/:iban/transactions',
  (request, to) => {
    const bounds = { accountIds: accountsOf(request), counterpartIban: request.params.iban }
    return reply(to, twin.page(request.query, bounds))
  },
)

app.get<{ Params: { id: string } }>('/v1/:workspaceId/transactions/:id', (request, to) => {
  const json = twin.transaction(Number(request.params.id))
  return json === undefined ? to.code(400).send({}) : to.type('application/json').send(json)
})

process.stdout.write(`${JSON.stringify({ url: await app.listen({ port: 0 }) })}\n`)
