import { isObject, type JsonObject, stringMember } from '../../reference-host/json.ts';
import { serialise } from '../../reference-host/recipe/cache-key.ts';
import type { EventDraft, RunEvent } from '../../reference-host/store/event.ts';
import type { RunRecord } from '../../reference-host/store/runs.ts';
import type { HostParts } from '../../reference-host/parts.ts';
import type { Variant } from './variant.ts';

/** Replays show the calls of their tools under keys over their own runs, as the formula has them. */
export const callKeysOfTheRun: Variant = {
  id: 'call-keys-of-the-run',
  parts: ({ written, eventOnWire, ledger }) => {
    const keys = new Map<string, string>();
    return {
      written: (draft, writing) => {
        const key = writing.run.fork === undefined ? undefined : ownKey({ draft, ...writing }, ledger);
        if (key !== undefined) for (const type of CALL) keys.set(placeOf(writing.run, type, draft), key);
        return written(draft, writing);
      },
      eventOnWire: (event, reading) => {
        const shown = eventOnWire(event, reading);
        const key = keys.get(placeOf(event, event.type, event));
        if (key === undefined || !isObject(shown) || !isObject(shown['payload'])) return shown;
        return { ...shown, payload: { ...shown['payload'], idempotency_key: key } };
      },
    };
  },
};

function placeOf({ runId }: Pick<RunRecord, 'runId'>, type: string, { nodeId }: EventDraft | RunEvent): string {
  return [runId, type, nodeId].join(' ');
}

const CALL = ['tool_invocation_started', 'tool_invocation_finished', 'command_committed'];

function ownKey(
  { draft, run }: { readonly draft: EventDraft; readonly run: RunRecord },
  ledger: HostParts['ledger'],
): string | undefined {
  const { type, nodeId = '', payload } = draft;
  if (type !== 'tool_invocation_started' || !isObject(payload)) return undefined;
  const args = payload['arguments'] as JsonObject;
  const tool = stringMember(payload, 'tool_name') ?? '';
  return ledger.idempotencyKey({ runId: run.runId, nodeId, tool, args, attempt: '' }, serialise(args));
}
