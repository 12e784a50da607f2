import { member, type JsonObject } from '../../json.ts';
import type { HostParts, LayerTwoCall } from '../../parts.ts';
import type { EventDraft } from '../../store/event.ts';
import type { Defect, Defects } from '../mutant.ts';
import { answering } from '../shared/run-wire.ts';

/** A defect that names provider calls otherwise. */
function naming(breaks: string, name: (call: LayerTwoCall, digest: (text: string) => string) => string): Defect {
  return {
    breaks,
    kills: ['recovery.layer-two-id'],
    parts: ({ digest, llmCache }) => ({ llmCache: { ...llmCache, invocationId: (call) => name(call, digest) } }),
  };
}

/** What names the first of the listed calls of the same node. */
function firstOf(listed: readonly unknown[], call: unknown): JsonObject {
  const [first] = listed.filter((each) => member(each, 'nodeId') === member(call, 'nodeId'));
  return { attempt: member(first, 'attempt'), invocationId: member(first, 'invocationId') };
}

/** Layer-2 invocation ids. */
export const defects: Defects = {
  'layer-two-id-without-attempt': naming(
    'The Layer-2 id of a call does not depend on the attempt.',
    ({ runId, nodeId, providerKey }, digest) => digest(`${runId}:${nodeId}:${providerKey}`),
  ),
  'layer-two-id-without-provider-key': naming(
    'The Layer-2 id of a call does not depend on what is asked.',
    ({ runId, nodeId, attempt }, digest) => digest(`${runId}:${nodeId}:${attempt}`),
  ),
  'layer-two-id-joined-otherwise': naming(
    'The parts of a Layer-2 id are joined by another character.',
    ({ runId, nodeId, attempt, providerKey }, digest) => digest([runId, nodeId, attempt, providerKey].join('|')),
  ),
  'layer-two-id-upper-case': naming(
    'A Layer-2 id is in upper case.',
    ({ runId, nodeId, attempt, providerKey }, digest) =>
      digest(`${runId}:${nodeId}:${attempt}:${providerKey}`).toUpperCase(),
  ),
  'layer-two-id-swapped': naming(
    'The provider key stands before the attempt in a Layer-2 id.',
    ({ runId, nodeId, attempt, providerKey }, digest) => digest(`${runId}:${nodeId}:${providerKey}:${attempt}`),
  ),
  'layer-two-attempt-stands-still': {
    breaks: 'The calls of a node that is tried again are all named as those of its first attempt.',
    kills: ['recovery.layer-two-id.retry'],
    parts: answering('POST', /\/test\/layer-two$/, async (answer) => {
      const response = await answer();
      const body: unknown = await response.json();
      const listed = member(body, 'invocations');
      if (!Array.isArray(listed)) return Response.json(body, response);
      return Response.json({ invocations: listed.map((each) => ({ ...each, ...firstOf(listed, each) })) });
    }),
  },
  'response-forgotten-by-crash': {
    breaks: 'A host that was started again asks the provider again for what is on record.',
    kills: ['recovery.layer-two-lookup'],
    parts: ({ llmCache }) => {
      const known = new Set<string>();
      const servesOwn = (invocationId: string, hostId: string): boolean => {
        const call = `${hostId} ${invocationId}`;
        const isKnown = known.has(call);
        known.add(call);
        return isKnown;
      };
      return { llmCache: { ...llmCache, servesOwn } };
    },
  },
  'response-unused-after-crash': {
    breaks: 'A host that was started again asks nobody for what is on record, and fails the run.',
    kills: ['recovery.layer-two-lookup'],
    parts: failingWhatIsRecovered,
  },
};

/** A run whose model was called by a host that has not started it fails where that node would complete. */
function failingWhatIsRecovered({ llmCache, written }: HostParts): Partial<HostParts> {
  const hosts = new Map<string, string>();
  const started = new Set<string>();
  const recovered = new Set<string>();
  let asking: LayerTwoCall | undefined;
  return {
    llmCache: {
      ...llmCache,
      invocationId: (call) => {
        asking = call;
        return llmCache.invocationId(call);
      },
      servesOwn: (invocationId, hostId) => {
        const { runId, nodeId } = asking ?? { runId: '', nodeId: '' };
        if (!started.has(runId) || (hosts.get(runId) ?? hostId) !== hostId) recovered.add(`${runId} ${nodeId}`);
        hosts.set(runId, hostId);
        return llmCache.servesOwn(invocationId, hostId);
      },
    },
    written: (draft, writing) => {
      const { run } = writing;
      if (draft.type === 'run.started') started.add(run.runId);
      const isEnd = draft.type === 'node.completed' && recovered.has(`${run.runId} ${draft.nodeId ?? ''}`);
      if (!isEnd || run.fork !== undefined) return written(draft, writing);
      const error = { code: 'response_unusable', message: 'The recorded response was not read.' };
      const failure: EventDraft = { ...draft, type: 'node.failed', payload: { nodeId: draft.nodeId, error } };
      const end: EventDraft = { type: 'run.failed', payload: { error } };
      return [failure, end].flatMap((each) => written(each, writing));
    },
  };
}
