import { afterAll, describe, expect, it } from 'vitest';
import { serveEffects } from '../../test/effects.ts';
import { children, decisions, handoff, transitions } from '../../test/handoffs.ts';
import { followed } from '../../test/host-lives.ts';
import { testClient, type FinishedRun } from '../../test/reference-client.ts';
import { whenAsked } from '../../test/waiting-run.ts';
import { isObject, member, stringMember } from '../json.ts';
import { defaultParts } from '../parts.ts';
import type { HandoffPolicy, HandoffStep } from '../policies/handoff.ts';
import type { EventDraft } from '../store/event.ts';

const effects = serveEffects();
afterAll(async () => (await effects).close());

const carriedOut = (workflowId: string, policy: Partial<HandoffPolicy>): Promise<FinishedRun> =>
  testClient({ parts: { handoff: { ...defaultParts.handoff, ...policy } } }).run(workflowId);

const at = (
  kind: HandoffStep['kind'],
  change: (step: HandoffStep) => readonly EventDraft[],
): Partial<HandoffPolicy> => ({
  written: (step) => (step.kind === kind ? change(step) : step.drafts),
});
const isChain = ({ type }: EventDraft): boolean => type === 'core.workflowChain.event';
const saying = (draft: EventDraft, members: object): EventDraft => ({
  ...draft,
  payload: { ...(isObject(draft.payload) ? draft.payload : {}), ...members },
});
const phasesOf = (run: FinishedRun): unknown[] => transitions(run).map(([phase]) => phase);
const WHOLE = ['dispatch.began', 'dispatch.succeeded', 'child.completed', 'output.harvested'];

describe('the steps of a handoff can be written otherwise', () => {
  it.each(['dispatch.began', 'dispatch.succeeded', 'child.ended', 'output.harvested'] as const)(
    '%s missing, or twice',
    async (kind) => {
      const workflowId = handoff('relay');
      const place = ['dispatch.began', 'dispatch.succeeded', 'child.ended', 'output.harvested'].indexOf(kind);
      const missing = await carriedOut(
        workflowId,
        at(kind, ({ drafts }) => drafts.filter((draft) => !isChain(draft))),
      );
      const without = WHOLE.filter((_, index) => index !== place);
      expect(phasesOf(missing)).toEqual([...without, ...without]);
      const twice = await carriedOut(
        workflowId,
        at(kind, ({ drafts }) => drafts.flatMap((draft) => (isChain(draft) ? [draft, draft] : [draft]))),
      );
      expect(phasesOf(twice)).toHaveLength(10);
      for (const run of [missing, twice]) expect(run.snapshot['status']).toBe('completed');
    },
  );

  it('a transition with the cause that the log has by itself', async () => {
    const policy = at('child.ended', ({ drafts }) => drafts.map((draft) => ({ ...draft, causedBy: () => true })));
    const run = await carriedOut('conformance-multi-agent-handoff', policy);
    expect(transitions(run)[2]).toEqual(['child.completed', 'node.dispatched']);
  });

  it('variables after the next decision, or never', async () => {
    const late: Partial<HandoffPolicy> = {
      written: ({ kind, drafts, earlier }) => {
        if (kind === 'output.harvested') return drafts.filter(isChain);
        if (kind !== 'decided') return drafts;
        const last = earlier.findLastIndex(({ type }) => type === 'runOrchestrator.decided');
        return [...drafts, ...earlier.slice(last + 1).filter(({ type }) => type === 'variable.changed')];
      },
    };
    const run = await carriedOut('conformance-multi-agent-handoff', late);
    const changed = run.types.lastIndexOf('variable.changed');
    expect(changed).toBeGreaterThan(run.types.lastIndexOf('runOrchestrator.decided'));
    expect(run.snapshot['variables']).toEqual({ parentResult: 'handoff-complete' });
    const never = at('output.harvested', ({ drafts }) => drafts.filter(isChain));
    const lost = await carriedOut(handoff('relay'), never);
    expect(lost.snapshot['variables']).toEqual({ shared: '', rounds: 5, relayed: '' });
  });

  it('a failed child as one that completed, a failed dispatch as one that succeeded', async () => {
    const completed = at('child.ended', ({ drafts }) =>
      drafts.map((each) => saying(each, { phase: 'child.completed' })),
    );
    expect(phasesOf(await carriedOut(handoff('failing'), completed))).toEqual(WHOLE.slice(0, 3));
    const both = at('dispatch.failed', ({ drafts }) => [
      ...drafts,
      ...drafts.map((each) => saying(each, { phase: 'dispatch.succeeded', childRunId: 'run_NOBODY' })),
    ]);
    expect(phasesOf(await carriedOut(handoff('missing'), both))).toEqual([
      'dispatch.began',
      'dispatch.failed',
      'dispatch.succeeded',
    ]);
  });

  it('a decision again after the answer', async () => {
    const again = at('answered', ({ drafts, earlier }) =>
      drafts[0]?.type === 'node.resumed'
        ? [...drafts, ...earlier.filter(({ type }) => type === 'runOrchestrator.decided')]
        : drafts,
    );
    const client = testClient({ parts: { handoff: { ...defaultParts.handoff, ...again } } });
    const source = await client.post('/v1/runs', { workflowId: handoff('clarify') });
    const runId = String(source.body['runId']);
    await whenAsked(client, runId);
    await client.post(`/v1/runs/${runId}/interrupts/dispatch`, { resumeValue: 1 });
    const run = await followed(client, runId);
    expect(decisions(run)).toEqual(['clarify', 'clarify', 'next-worker', 'terminate']);
  });
});

describe('the policy of handoffs can be another one', () => {
  it('goes on after terminate', async () => {
    const run = await carriedOut('conformance-multi-agent-handoff', { turns: (plan) => [...plan, ...plan] });
    expect(decisions(run)).toEqual(['next-worker', 'terminate', 'next-worker', 'terminate']);
    expect(new Set(children(run)).size).toBe(2);
  });

  it('does not wait after clarify', async () => {
    const run = await carriedOut(handoff('clarify'), { asks: () => false });
    expect(run.types).not.toContain('interrupt.requested');
    expect(run.snapshot['status']).toBe('completed');
  });

  it('harvests always, with the names swapped, and hands nothing over', async () => {
    const always = { harvests: () => true };
    expect(phasesOf(await carriedOut(handoff('unmapped'), always))).toEqual(WHOLE);
    expect((await carriedOut(handoff('failing'), always)).snapshot['variables']).toEqual({ shared: 'told-in-vain' });
    const swapped: Partial<HandoffPolicy> = {
      output: (mapping, child) =>
        defaultParts.handoff.output(
          Object.fromEntries(Object.entries(mapping).map(([to, from]) => [String(from), to])),
          child,
        ),
    };
    expect((await carriedOut('conformance-multi-agent-handoff', swapped)).snapshot['variables']).toEqual({
      parentResult: '',
    });
    const relayed = await carriedOut(handoff('relay'), { input: () => ({}) });
    expect(relayed.snapshot['variables']).toEqual({ shared: 'told-by-the-teller', rounds: 0, relayed: '' });
  });

  it('dispatches again on a replay, where the record is not shown', async () => {
    const { calls, url } = await effects;
    const { replay } = defaultParts;
    const client = testClient({
      parts: {
        replay: {
          ...replay,
          observation: (recorded, act) =>
            stringMember(act.request, 'kind')?.startsWith('core.dispatch.') === true ? undefined : recorded,
        },
      },
    });
    const body = { workflowId: handoff('tool'), inputs: { witnessUrl: url } };
    const source = await client.run('', { body });
    expect(calls).toHaveLength(1);
    const again = await client.fork(source.runId, { mode: 'replay' });
    expect(calls).toHaveLength(2);
    expect(children(again)).not.toEqual(children(source));
    expect(member(again.snapshot, 'status')).toBe('completed');
  });
});
