import { sendJson } from '../local-server.ts';
import { always, CREDENTIAL, type Behaviour } from './behaviour.ts';

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
  hexadecimal: Buffer.from(CREDENTIAL).toString('hex'),
  'drawn-out': Array.from(CREDENTIAL).join('\u200b'),
};

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
  { id: 'commands', flags: SUITES, start: always((response) => sendJson(response, saying(COMMANDS), 201)) },
  {
    id: 'commands.json',
    flags: [...SUITES, '--reporter', 'json'],
    start: always((response) => sendJson(response, saying(COMMANDS))),
  },
];
