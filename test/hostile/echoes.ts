import { sendJson } from '../local-server.ts';
import { around, rewritingText } from '../variants/wire.ts';
import { always, CREDENTIAL, spoilt, type Behaviour } from './behaviour.ts';

function each(text: string, write: (unit: string) => string): string {
  return Array.from(text, write).join('');
}

function hex(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(2, '0');
}

function swapped(unit: string): string {
  return unit === unit.toLowerCase() ? unit.toUpperCase() : unit.toLowerCase();
}

/** How a host may write a credential that it was given. */
const SPELLINGS: Readonly<Record<string, string>> = {
  plain: CREDENTIAL,
  'upper-case': CREDENTIAL.toUpperCase(),
  'swapped-case': each(CREDENTIAL, swapped),
  'json-escaped': each(CREDENTIAL, (unit) => `\\u00${hex(unit)}`),
  'percent-encoded': each(CREDENTIAL, (unit) => `%${hex(unit)}`),
  references: each(CREDENTIAL, (unit) => `&#${unit.charCodeAt(0)};`),
  base64: Buffer.from(`Bearer ${CREDENTIAL}`).toString('base64'),
  base64url: Buffer.from(CREDENTIAL).toString('base64url'),
  hexadecimal: Buffer.from(CREDENTIAL).toString('hex'),
  'drawn-out': Array.from(CREDENTIAL).join('\u200b'),
};

const RUN_ID = /run_[0-9A-HJKMNP-TV-Z]{26}/g;

/** The reference host, which puts this text behind each of its run ids; ids that end otherwise are unknown to it, and it says them again. */
function appending(text: string): Behaviour['start'] {
  return spoilt(
    around(/^/, async (request, next) => {
      const { method, headers, signal } = request;
      const asked = await request.text();
      const body = asked === '' ? {} : { body: asked.replaceAll(`~${text}`, '') };
      const url = request.url.replaceAll(`~${text}`, '');
      if (url.includes('~')) return Response.json({ error: 'not_found', message: `no ${url}` }, { status: 404 });
      const response = await next(new Request(url, { method, headers, signal, ...body }));
      return rewritingText(response, (answer) => answer.replaceAll(RUN_ID, (id) => `${id}~${text}`));
    })(),
  );
}

/** Texts that a pipeline's runner or a terminal would obey. */
const COMMANDS =
  '\n::error::x\n::add-mask::y ::stop-commands::z ##vso[task.complete]##[error]##teamcity[x]\u001b[2J\u202e';

/** One answer for everything, with this text in every place where a host's own words stand. */
function saying(text: string): object {
  return {
    protocolVersion: text,
    implementation: { name: text, version: text },
    supportedEnvelopes: [text],
    schemaVersions: { [text]: 1 },
    limits: { clarificationRounds: 0, schemaRounds: 1, envelopesPerTurn: 1 },
    multiAgent: {
      executionModel: { supported: true, version: 4, replayDeterminism: { supported: true, llmCacheKeyRecipe: text } },
    },
    replay: { supported: true, modes: ['replay', 'branch', text] },
    fixtures: ['conformance-noop', text],
    runId: text,
    status: text,
    error: text,
    message: text,
    cacheKey: text,
    variables: { [text]: text },
    channels: {},
    events: [{ eventId: text, runId: text, type: text, nodeId: text, sequence: 0, payload: { [text]: text } }],
  };
}

const SUITES = ['discovery', 'cache-key-portable', 'fork-contract'].flatMap((suite) => ['--suite', suite]);

/** Hosts that say the credential, or a command, in every text of theirs; broken off in the middle, too. */
export const ECHOES: readonly Behaviour[] = [
  ...Object.entries(SPELLINGS).flatMap(([name, text]): Behaviour[] => [
    { id: `echo.${name}`, flags: SUITES, start: always((response) => sendJson(response, saying(text), 201)) },
    {
      id: `echo.${name}.broken-off`,
      flags: [...SUITES, '--reporter', 'json'],
      start: always((response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(`{"a":"${'x'.repeat(16_360)}","b":"${text.slice(0, -3)}`),
      ),
    },
  ]),
  ...['plain', 'upper-case', 'base64url', 'hexadecimal'].map((name): Behaviour => ({
    id: `echo.run-ids.${name}`,
    flags: ['--suite', 'fork-contract', '--max-time', '600000', '--timeout', '60000'],
    start: appending(SPELLINGS[name] ?? ''),
    exitCodes: [0],
  })),
  ...(['argument', 'file'] as const).map((credential): Behaviour => ({
    id: `echo.plain-by-${credential}`,
    flags: SUITES,
    credential,
    start: always((response) => sendJson(response, saying(CREDENTIAL), 201)),
  })),
  { id: 'commands', flags: SUITES, start: always((response) => sendJson(response, saying(COMMANDS), 201)) },
  {
    id: 'commands.json',
    flags: [...SUITES, '--reporter', 'json', '--shard', '1/1'],
    start: always((response) => sendJson(response, saying(COMMANDS))),
  },
];
