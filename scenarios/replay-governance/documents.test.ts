import { describe, expect, it } from 'vitest';
import { namesIn, saidIn, statementsAt, statementsOfDeletion, mentionsIn } from './documents.ts';

describe('statements of a document', () => {
  it('are the texts and numbers below a place', () => {
    const document = {
      replay: { retention: { snapshots: 'a day', forks: { days: 7 } } },
      replays: 'no',
      retentionDays: 3,
    };
    expect(statementsAt(document, ['/replay/retention', '/retentionDays'])).toEqual([
      { pointer: '/replay/retention/snapshots', text: 'a day' },
      { pointer: '/replay/retention/forks/days', text: '7' },
      { pointer: '/retentionDays', text: '3' },
    ]);
    expect(statementsAt(document, ['/replay/retention', '/replay/retention/forks'])).toHaveLength(2);
    expect(statementsAt({ retention: Array.from({ length: 200_000 }, () => 1) }, ['/retention'])).toHaveLength(100);
    expect(statementsAt({ retention: 'x'.repeat(5000) }, ['/retention'])[0]?.text).toHaveLength(400);
  });

  it('say what their names and their words say', () => {
    const statement = { pointer: '/capabilities/replay/retention/invocationLogs', text: 'keptFor 7 Days' };
    expect(namesIn(statement).trim()).toBe('invocation logs');
    expect(saidIn(statement)).toContain('kept for 7 days');
    expect(namesIn({ pointer: '/paths/~1v1~1replays/delete', text: '' })).toBe('');
  });

  it.each([
    { replay: { retention: { deletedData: 'A replay is refused.' } } },
    { privacy: { erasure: { replay: 'fails', branch: 'goes on' } } },
    { info: { description: 'Once data is deleted, forks of its run are refused.' } },
    {
      paths: {
        '/v1/runs/{runId}:fork': { post: { responses: { 410: { description: 'Data was erased: no replay' } } } },
      },
    },
  ])('%j says what a deletion means for forks', (document) => expect(statementsOfDeletion(document)).not.toEqual([]));

  it.each([
    {},
    null,
    { replay: { supported: true }, privacy: { deletion: 'on request' } },
    { paths: { '/v1/replays/{runId}': { delete: { summary: 'Cancels it' } } } },
    { replay: { retention: { forks: 'kept like other runs' } } },
    { paths: { '/v1/host/sample/test/data/delete': { post: { summary: 'Deletes what replays need' } } } },
    { paths: { '/v1/cache': { delete: { description: 'Purges recorded responses, so that the next replay asks.' } } } },
    { seams: { 'data/delete': { path: '/v1/host/sample/test/data/delete', about: 'deletes what replays need' } } },
  ])('%j does not', (document) => expect(statementsOfDeletion(document)).toEqual([]));
});

const SEAM = '/v1/host/sample/test/retention/expire';
const BELOW = 'Forks whose fromSeq lies below the retention boundary of the event log are refused with 410 or 422.';

function kinds(document: unknown): readonly string[] {
  return mentionsIn(document).map(({ pointer, kind }) => `${kind} ${pointer}`);
}

describe('mentionsIn', () => {
  it.each<[object, string]>([
    [{ replay: { retention: { windowSeconds: 60 } } }, 'documented /replay/retention'],
    [{ replay: { retention: { snapshots: { days: 0 } } } }, 'documented /replay/retention'],
    [{ replay: { retention: 'seven days' } }, 'documented /replay/retention'],
    [{ data_retention: [{ what: 'logs', days: 7 }] }, 'documented /data_retention'],
    [{ eventLog: { ttlSeconds: 60 } }, 'documented /eventLog/ttlSeconds'],
    [{ runs: { expiresAfter: 'P7D' } }, 'documented /runs/expiresAfter'],
    [{ info: { description: 'Logs are retained for 7 days.' } }, 'documented /info/description'],
    [{ info: { description: 'All data is retained for 7 days.' } }, 'documented /info/description'],
    [{ info: { description: 'Run logs are retained for P30D.' } }, 'documented /info/description'],
    [{ info: { description: 'Run logs are retained for 90d; older forks get 410.' } }, 'documented /info/description'],
    [{ info: { description: 'Run logs are retained for 410 days.' } }, 'documented /info/description'],
    [{ replay: { retention: '30' } }, 'documented /replay/retention'],
    [{ replay: { retention: 'Logs are kept on disk.' } }, 'documented /replay/retention'],
    [
      { paths: { '/v1/runs': { get: { description: 'Retained for 7 days.' } } } },
      'documented /paths/~1v1~1runs/get/description',
    ],
  ])('%j documents it', (document, mention) => expect(kinds(document)).toContain(mention));

  it.each<[object, string]>([
    [{ replay: { retention: true } }, 'hint /replay/retention'],
    [{ replay: { retention: { window: null, policy: ' ' } } }, 'hint /replay/retention'],
    [{ idempotency: { ttlSeconds: 86400 } }, 'hint /idempotency/ttlSeconds'],
    [{ documentation: 'https://host.example/docs' }, 'hint /documentation'],
    [{ notes: 'Retention is not specified.' }, 'hint /notes'],
    [{ replay: { retention: 'by agreement' } }, 'hint /replay/retention'],
    [
      { paths: { '/v1/runs/{runId}:fork': { post: { description: BELOW } } } },
      'hint /paths/~1v1~1runs~1{runId}:fork/post/description',
    ],
    [{ externalDocs: { docsUrl: 'see http://host.example' } }, 'hint /externalDocs/docsUrl'],
    [{ externalDocs: { description: 'Handbook', url: 'https://docs.host.example' } }, 'hint /externalDocs/url'],
    [{ links: [{ rel: 'docs', href: 'https://docs.host.example' }] }, 'hint /links/0/href'],
    [{ docs: ['https://docs.host.example'] }, 'hint /docs/0'],
    [{ info: { contact: { url: 'https://host.example' } } }, 'hint /info/contact/url'],
    [{ info: { termsOfService: 'https://host.example' } }, 'hint /info/termsOfService'],
    [
      { paths: { '/v1/invoices': { get: { description: 'Invoices are retained for 10 years.' } } } },
      'hint /paths/~1v1~1invoices/get/description',
    ],
    [
      { paths: { '/v1/catalog': { get: { description: 'All data is retained until we prune it.' } } } },
      'hint /paths/~1v1~1catalog/get/description',
    ],
    [{ info: { description: 'Invoices are retained for 10 years.' } }, 'hint /info/description'],
    [
      { paths: { '/v1/invoices': { get: { 'x-retention-days': 3650 } } } },
      'hint /paths/~1v1~1invoices/get/x-retention-days',
    ],
  ])('%j only hints at it', (document, mention) => expect(kinds(document)).toEqual([mention]));

  it.each<object>([
    { replay: { retention: { snapshots: 'TBD', forks: 'n/a', calls: '?', audits: null } } },
    { replay: { retention: 'todo' } },
  ])('%j holds a place for it', (document) => expect(kinds(document)).toEqual(['placeholder /replay/retention']));

  it.each([
    {},
    null,
    'text',
    { replay: { supported: true, modes: ['replay'] } },
    { replay: { retention: {} } },
    { replay: { retentionPolicies: [] } },
    { experimentalUntil: '2027-01-01', tier: 'experimental' },
    { settlement: 1, subtitle: 'x', throttle: 2 },
    { paths: { '/v1/host/sample/test/retention/expire': { post: { summary: 'Expires events' } } } },
    {
      paths: {
        '/v1/runs/{runId}:fork': { post: { responses: { 410: { description: 'below the retention boundary' } } } },
      },
    },
    { testSeams: { 'retention/expire': SEAM } },
    { testSeams: { 'retention/expire': { method: 'POST', path: SEAM } } },
    { testSeams: [SEAM] },
    { servers: [{ url: 'https://host.example' }] },
    { info: { license: { url: 'https://host.example' } } },
    { information: { url: 'https://host.example' }, linked: ['https://host.example'] },
    {
      openapi: '3.1.0',
      components: {
        schemas: {
          Code: { enum: ['retention_expired', 'retained for 7 days'] },
          Run: { properties: { retainOutputs: { type: 'boolean' } } },
        },
      },
    },
  ])('%j says nothing of it', (document) => expect(kinds(document)).toEqual([]));

  it('passes over what stands below names that nobody gives', () => {
    const links = Array.from({ length: 90_000 }, () => 'https://host.example/replays-once-deleted');
    const long = { ['docs/'.repeat(800_000)]: links };
    expect([kinds(long), statementsAt(long, ['/x']), statementsOfDeletion(long)]).toEqual([[], [], []]);
  });

  it('escapes pointers, and ends with a document without end', () => {
    expect(kinds({ 'a/b~c': { retention: 1 } })).toEqual(['documented /a~1b~0c/retention']);
    expect(mentionsIn(Array.from({ length: 200_000 }, () => ({ retentionDays: 1 }))).length).toBeLessThanOrEqual(
      100_000,
    );
  });
});
