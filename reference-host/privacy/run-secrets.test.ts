import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../store/event.ts';
import type { RunRecord } from '../store/runs.ts';
import { openStore, type Store } from '../store/store.ts';
import { createRunSecrets } from './run-secrets.ts';

const fork = (parentRunId: string, overlay = {}): Pick<RunRecord, 'fork'> => ({
  fork: { parentRunId, mode: 'branch', fromSeq: 0, position: 0, overlay },
});

function add(store: Store, runId: string, more: Partial<RunRecord> = {}): RunRecord {
  const run = { runId, tenant: 'a', workflowId: 'w', ...more };
  store.runs.insert(run);
  return run;
}

const told = (name: string, secret: string): EventDraft => ({ type: 'log.appended', payload: { [name]: secret } });
const END: EventDraft = { type: 'run.completed', payload: {} };

describe('the secrets of a run', () => {
  it('grow with its log, and are the same object as long as there are no new ones', () => {
    const store = openStore(undefined, 0);
    const run = add(store, 'one');
    const secrets = createRunSecrets(store);
    expect(secrets.of(run).size).toBe(0);
    store.events.append('one', told('token', 'first'));
    const before = secrets.of(run);
    expect([...before]).toEqual([['first', 'other']]);
    store.events.append('one', told('plain', 'first'));
    expect(secrets.of(run)).toBe(before);
    store.events.append('one', { type: 'run.started', payload: { inputs: { token: 'second' } } });
    store.events.append('one', END);
    expect([...secrets.of(run)]).toEqual([
      ['first', 'other'],
      ['second', 'options'],
    ]);
    expect(secrets.of(run)).toBe(secrets.of(run));
    store.close();
  });

  it('are those of its sources, its dispatcher and its children too, but not of its forks or of strangers', () => {
    const store = openStore(undefined, 0);
    add(store, 'source');
    const run = add(store, 'run', fork('source', { inputs: { apiKey: 'overlaid' } }));
    add(store, 'late', fork('run'));
    const child = add(store, 'child', { dispatchedBy: { runId: 'run', nodeId: 'n' } });
    add(store, 'stranger');
    for (const runId of ['source', 'run', 'late', 'child', 'stranger']) {
      store.events.append(runId, told('token', `of ${runId}`));
    }
    const secrets = createRunSecrets(store);
    expect([...secrets.of(run).keys()].toSorted()).toEqual(['of run', 'of source', 'overlaid']);
    store.events.append('run', { type: 'node.dispatched', payload: { childRunId: 'child', childWorkflowId: 'w' } });
    const all = ['of child', 'of run', 'of source', 'overlaid'];
    expect([...secrets.of(run).keys()].toSorted()).toEqual(all);
    expect([...secrets.of(child).keys()].toSorted()).toEqual(all);
    store.close();
  });

  it('are of the tenant, whatever a log names, and a circle of names ends', () => {
    const store = openStore(undefined, 0);
    const run = add(store, 'run');
    add(store, 'foreign', { tenant: 'b' });
    store.events.append('foreign', told('token', 'of another'));
    for (const childRunId of ['foreign', 'run', 'nobody']) {
      store.events.append('run', { type: 'node.dispatched', payload: { childRunId } });
    }
    store.events.append('run', END);
    expect(createRunSecrets(store).of(run).size).toBe(0);
    store.close();
  });

  it('are found again after they were forgotten', () => {
    const store = openStore(undefined, 0);
    const run = add(store, 'run');
    store.events.append('run', told('token', 'kept'));
    store.events.append('run', END);
    const secrets = createRunSecrets(store);
    expect(secrets.of(run).size).toBe(1);
    store.records.rewrite('run', () => '{}');
    expect(secrets.of(run).size).toBe(1);
    secrets.forget();
    expect(secrets.of(run).size).toBe(0);
    store.close();
  });
});
