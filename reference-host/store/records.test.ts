import { describe, expect, it } from 'vitest';
import type { RecordedJson } from './records.ts';
import { openStore } from './store.ts';

function filled(): ReturnType<typeof openStore> {
  const store = openStore(undefined, 0);
  const fork = { parentRunId: 'source', mode: 'branch', fromSeq: 1, position: 1, overlay: { a: 'overlay' } } as const;
  store.runs.insert({ runId: 'run', tenant: 'a', workflowId: 'w', fork });
  store.events.append('run', { type: 'log.appended', nodeId: 'n', payload: 'written' });
  store.events.append('other', { type: 'log.appended', payload: 'of another run' });
  store.observations.record({ runId: 'run', nodeId: 'n', cacheKey: 'k' }, { value: 'observed', events: [] });
  store.ledger.acquire({ runId: 'run', key: 'k' }, { host: 'h', attempt: '1' }, 0);
  store.ledger.commit({ runId: 'run', key: 'k' }, { host: 'h', attempt: '1' }, '"result"');
  store.ledger.acquire({ runId: 'run', key: 'without result' }, { host: 'h', attempt: '1' }, 0);
  const call = { runId: 'run', nodeId: 'n', cacheKey: 'k', attempt: '1', providerKey: 'p' };
  store.responses.record(
    { ...call, namespace: 'a', invocationId: 'i' },
    { response: '"response"', revision: undefined },
  );
  store.expired.put('run', { beforeSeq: 0, state: 'state', events: [], secrets: [], children: [] });
  store.audit.record({ runId: 'x', sourceRunId: 'run' }, { a: 'audit' });
  return store;
}

const TEXTS = ['written', 'observed', 'result', 'response', 'overlay', 'state', 'audit'];

describe('the records of a run', () => {
  it('are all that is stored about it', () => {
    const store = filled();
    const seen: RecordedJson[] = [];
    expect(
      store.records.rewrite('run', (record) => {
        seen.push(record);
        return undefined;
      }),
    ).toBe(0);
    expect(seen.map(({ json }) => TEXTS.find((text) => json.includes(text)))).toEqual(TEXTS);
    expect(seen[0]).toEqual({ kind: 'events', json: '"written"', nodeId: 'n', type: 'log.appended' });
    store.close();
  });

  it('are rewritten, and nothing of another run', () => {
    const store = filled();
    const changed = store.records.rewrite('run', () => '{"new":true}');
    expect(changed).toBe(TEXTS.length);
    expect(store.events.read('run')[0]).toMatchObject({ sequence: 0, type: 'log.appended', payload: { new: true } });
    expect(store.events.read('other')[0]?.payload).toBe('of another run');
    expect(store.observations.get({ runId: 'run', nodeId: 'n', cacheKey: 'k' })).toEqual({ new: true });
    expect(store.responses.byInvocation('a', 'i')?.response).toBe('{"new":true}');
    expect(store.ledger.get({ runId: 'run', key: 'k' })?.result).toBe('{"new":true}');
    expect(store.ledger.get({ runId: 'run', key: 'without result' })?.result).toBeUndefined();
    expect(store.runs.get('run')?.fork?.overlay).toEqual({ new: true });
    expect(store.audit.about('run')).toEqual([{ new: true }]);
    store.close();
  });
});
