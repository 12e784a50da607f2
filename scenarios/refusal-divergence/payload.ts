import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { named, shown } from '../shared/compare-runs.ts';
import { noEvent, type Met } from './met.ts';
import type { Outcome } from './outcome.ts';
import { nodeOf } from '../shared/node-of.ts';
import { wrong } from './diagnoses.ts';

/** 0041 §B, payload: the four required members, the kinds in the right direction, the source named. */
export function judgePayload(met: Met): Outcome {
  const [event] = met.raised;
  if (event === undefined) return noEvent(met);
  const mistake = wrongMember(event, met);
  const { evidence } = met;
  if (mistake === undefined) {
    const note = nodeOf(event) === undefined ? 'advisory: the event names no nodeId' : undefined;
    return { kind: 'pass', evidence, note };
  }
  const { name, expected, actual, code } = mistake;
  const at = `sequence ${event.sequence} /payload/${name}`;
  return {
    kind: 'fail',
    expected: `${at}: ${expected}`,
    actual: `${at}: ${actual === undefined ? 'absent' : shown(actual)} in ${named(met.replay)}`,
    diagnosis: wrong(code),
    evidence,
  };
}

type Cause = Parameters<typeof wrong>[0];

interface WrongMember {
  readonly name: string;
  readonly expected: string;
  readonly actual: unknown;
  readonly code: Cause;
}

const REQUIRED = ['sourceRunId', 'atSequence', 'originalEnvelopeKind', 'replayEnvelopeKind'] as const;

function wrongMember({ payload }: RunEvent, { source, direction }: Met): WrongMember | undefined {
  const members = isRecord(payload) ? payload : {};
  const values = new Map(REQUIRED.map((name) => [name, Object.hasOwn(members, name) ? members[name] : undefined]));
  const missing = REQUIRED.find((name) => values.get(name) === undefined);
  if (missing !== undefined) {
    return { name: missing, expected: 'a required member', actual: undefined, code: 'member-missing' };
  }
  const [sourceRunId, atSequence] = [values.get('sourceRunId'), values.get('atSequence')];
  const [original, replay] = [values.get('originalEnvelopeKind'), values.get('replayEnvelopeKind')];
  if (sourceRunId !== source.runId) {
    return { name: 'sourceRunId', expected: shown(source.runId), actual: sourceRunId, code: 'wrong-source' };
  }
  if (typeof atSequence !== 'number' || !Number.isInteger(atSequence) || atSequence < 0) {
    return { name: 'atSequence', expected: 'a sequence number', actual: atSequence, code: 'no-sequence-number' };
  }
  if (original === direction.original && replay === direction.replay) return undefined;
  const name = original === direction.original ? 'replayEnvelopeKind' : 'originalEnvelopeKind';
  const code = kindCode(original, replay, direction);
  return {
    name,
    expected: shown(name === 'replayEnvelopeKind' ? direction.replay : direction.original),
    actual: values.get(name),
    code,
  };
}

function kindCode(original: unknown, replay: unknown, direction: Met['direction']): Cause {
  if (original === replay) return 'kinds-equal';
  return original === direction.replay && replay === direction.original ? 'kinds-swapped' : 'unknown-kind';
}
