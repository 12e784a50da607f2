import { describe, expect, it } from 'vitest';
import { namesIn, saidIn, statementsAt, statementsOfDeletion } from './statements.ts';

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
  ])('%j does not', (document) => expect(statementsOfDeletion(document)).toEqual([]));
});
