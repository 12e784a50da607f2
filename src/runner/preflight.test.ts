import { describe, expect, it } from 'vitest';
import { answered, handleOf, unanswered as failed } from '../../test/answers.ts';
import type { Exchange } from '../host/client.ts';
import { INTERIM } from '../host/deadline.ts';
import { preflight, type Approach } from './preflight.ts';

const DOCUMENT = { protocolVersion: '1.0' };
const REFUSED = { error: 'unauthenticated', message: 'm' };
const INVALID = answered(400, { error: 'validation_error', message: 'm' });
const NO_RUN = answered(404, { error: 'run_not_found', message: 'm' });
const PAGE = answered(200, '<html>', { 'content-type': 'text/html' });
const CREATE = 'POST /v1/runs';

/** What is found where the host answers so at the well-known address, and to what is asked then; others are refused. */
async function found(
  discovery: Exchange,
  answers: Readonly<Record<string, Exchange>> = {},
  more: Partial<Approach> = {},
) {
  const sent: string[] = [];
  const host = handleOf(async ({ method, path }) => {
    const what = `${method} ${path}`;
    sent.push(what);
    return answers[what] ?? answered(401, REFUSED);
  });
  const approach = { host, baseUrl: 'http://h', timeoutMs: 5, variable: 'KEY', hasCredential: true, needsRuns: true };
  return { hindrance: await preflight(discovery, { ...approach, ...more }), sent };
}

describe('an answer that cannot be read', () => {
  it.each([
    ['broken off', ': correct --base-url'],
    [INTERIM, '(reset: an interim answer 100 (Continue) came, for which no request asked): let the host'],
  ])('as what came is "%s" says what to do', async (message, says) => {
    const { hindrance } = await found({ ...failed('reset'), message }, { [CREATE]: PAGE });
    expect(hindrance?.message).toContain(says);
  });
});

describe('nobody to be asked', () => {
  it.each([
    ['refused', 'unreachable', '--base-url'],
    ['unresolvable', 'unreachable', '--base-url'],
    ['timeout', 'unreachable', 'within 5 ms'],
    ['tls', 'tls', 'NODE_EXTRA_CA_CERTS'],
  ] as const)('%s is %s, and nothing more is sent', async (reason, code, says) => {
    const { hindrance, sent } = await found(failed(reason));
    expect(hindrance).toMatchObject({ code, hasDocument: false, exchanges: ['x1'] });
    expect(hindrance?.message).toContain(says);
    expect(sent).toEqual([]);
  });

  it('is not said of a run that was stopped', async () => {
    expect((await found(failed('aborted'), { [CREATE]: INVALID }, { needsRuns: false })).hindrance).toBeUndefined();
  });
});

const NO_DOCUMENT: readonly (readonly [name: string, discovery: Exchange, code: string])[] = [
  ['bytes', failed('protocol'), 'no-http'],
  ['too much', failed('body-too-large'), 'no-http'],
  ['an encoded answer', failed('encoded'), 'no-http'],
  ['a broken connection', failed('reset'), 'no-http'],
  ['401', answered(401, REFUSED), 'credential'],
  ['403', answered(403, REFUSED), 'credential'],
  ['a redirect', answered(302, '', { location: 'http://elsewhere' }), 'redirect'],
  ['a web page', PAGE, 'web-page'],
  ['a web page of an error', answered(404, '<html>', { 'content-type': 'text/html; charset=utf-8' }), 'web-page'],
  ['another JSON', answered(200, { hello: 'world' }), 'not-openwop'],
  ['a list', answered(200, []), 'not-openwop'],
  ['text', answered(200, 'ok'), 'not-openwop'],
  ['404', answered(404, { error: 'Not Found' }), 'not-openwop'],
];

describe('no document', () => {
  it.each(NO_DOCUMENT)('%s: a hindrance where runs are answered like that, too', async (_, discovery, code) => {
    for (const same of [discovery, PAGE, answered(200, {}), answered(404, { error: 'Not Found' }), failed('reset')]) {
      const { hindrance, sent } = await found(discovery, { [CREATE]: same });
      expect(hindrance).toMatchObject({ code, hasDocument: false });
      expect(sent).toEqual([CREATE]);
    }
  });

  it.each(NO_DOCUMENT)(
    '%s: none where a host answers about runs; the rows about the document say it',
    async (_, at) => {
      const unknown = answered(404, { error: 'workflow_not_found', message: 'm' });
      const nested = answered(404, { error: { code: 'not_found', message: 'm' } });
      for (const answer of [INVALID, unknown, nested, answered(201, { runId: 'r' }), answered(422, {})]) {
        expect((await found(at, { [CREATE]: answer })).hindrance).toBeUndefined();
      }
    },
  );

  it.each([
    ['members that are wrong', answered(200, { protocolVersion: 7, limits: [] })],
    ['members under the mirror only', answered(200, { capabilities: { multiAgent: {} } })],
    ['an error of the host', answered(500, { error: 'internal_error' })],
    ['a host that is starting', answered(503, {})],
    ['a document too deep to be read', answered(200, '['.repeat(5000))],
  ])('but %s: judged as it is', async (_, discovery) => {
    expect((await found(discovery, {}, { needsRuns: false })).hindrance).toBeUndefined();
  });
});

it('is no host that says alike of both addresses that nothing is there', async () => {
  const nothing = answered(404, { error: 'not_found', message: 'No route.' });
  expect((await found(nothing, { [CREATE]: nothing })).hindrance).toMatchObject({ code: 'not-openwop' });
  const unknown = answered(404, { error: 'workflow_not_found', message: 'm' });
  expect((await found(nothing, { [CREATE]: unknown })).hindrance).toBeUndefined();
});

describe('a credential', () => {
  const discovery = answered(200, DOCUMENT);
  const READ = 'GET /v1/runs/run_00000000000000000000000000';

  it('that is refused runs leaves the document to be judged', async () => {
    const { hindrance, sent } = await found(discovery);
    expect(hindrance).toMatchObject({ code: 'credential', hasDocument: true });
    expect(hindrance?.message).toContain('not accepted, give another one in KEY');
    expect(sent).toEqual([READ, CREATE]);
  });

  it('that was not given is asked for', async () => {
    const { hindrance } = await found(discovery, {}, { hasCredential: false });
    expect(hindrance?.message).toContain('name the variable that holds one with --api-key-env');
  });

  it('that reads works, and nothing is made', async () => {
    const { hindrance, sent } = await found(discovery, { [READ]: NO_RUN });
    expect([hindrance, sent]).toEqual([undefined, [READ]]);
  });

  it('that makes runs works where unknown ones are hidden behind 403', async () => {
    const answers = { [READ]: answered(403, REFUSED), [CREATE]: answered(201, { runId: 'r' }) };
    expect((await found(discovery, answers)).hindrance).toBeUndefined();
  });

  it('is not needed for the document alone', async () => {
    expect(await found(discovery, {}, { needsRuns: false })).toEqual({ hindrance: undefined, sent: [] });
  });
});
