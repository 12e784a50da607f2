import { always } from '../../src/contract/gates.ts';
import type { WitnessCall } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { nodeOf } from '../shared/node-of.ts';
import { replayOf, replays } from '../shared/replays.ts';
import { startRun } from '../shared/run-observation.ts';
import { type CallObservation, createCounter, judgeCalls } from './calls.ts';

const PROVIDER = 'conformance-determinism-llm-provider';
const MODEL_NODE = 'provider-call';

const check = 'replay.no-second-external-call.model';

function isChat({ kind }: WitnessCall): boolean {
  return kind === 'chat';
}

async function drive(probe: Probe): Promise<readonly CallObservation[]> {
  if (probe.witness === undefined) return [];
  const { visit, seen, take } = createCounter(probe.witness, isChat);
  visit.stageChat([{ kind: 'valid', content: '{"valid":true}' }]);
  const request = { workflowId: PROVIDER, inputs: { witnessUrl: visit.url } };
  const source = take(await startRun(probe, request, { role: 'source' }));
  if (source.problem !== null || visit.calls().length === 0) return seen;
  take(await replayOf(probe, source, undefined));
  const events = eventsOf(source);
  const call = events.findIndex((event) => nodeOf(event) === MODEL_NODE);
  const next = call === -1 ? undefined : events[call + 1];
  if (next !== undefined) take(await replayOf(probe, source, next.sequence));
  return seen;
}

/** replay.md, Determinism 1 names LLMs first among external systems. */
export const modelCalls = defineJudgedScenario<CallObservation>({
  id: check,
  suite: 'replay-determinism',
  title: 'A model outside the host, asked once',
  checks: [
    {
      id: check,
      requirement: 'replay.no-second-external-call',
      title: 'A model provider is not called again on replay',
    },
  ],
  gate: always,
  needs: [replays, { kind: 'witness' }, { kind: 'fixture', workflowId: PROVIDER }],
  exclusive: [],
  drive,
  judge: (observations) => [judgeCalls(check, observations, () => true)],
});
