import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { named, shown } from '../shared/compare-runs.ts';
import { noEvent, type Met } from './met.ts';
import type { Outcome } from './outcome.ts';
import { nodeOf } from '../shared/node-of.ts';

/** 0041 §B, payload: the four required members, the kinds in the right direction, the source named. */
export function judgePayload(met: Met): Outcome {
  const [event] = met.raised;
  if (event === undefined) return noEvent(met);
  const wrong = wrongMember(event, met);
  const { evidence } = met;
  if (wrong === undefined) {
    const note = nodeOf(event) === undefined ? 'advisory: the event names no nodeId' : undefined;
    return { kind: 'pass', evidence, note };
  }
  const { name, expected, actual, code } = wrong;
  const at = `sequence ${event.sequence} /payload/${name}`;
  return {
    kind: 'fail',
    expected: `${at}: ${expected}`,
    actual: `${at}: ${actual === undefined ? 'absent' : shown(actual)} in ${named(met.replay)}`,
    diagnosis: { code, message: MESSAGES[code] },
    evidence,
  };
}

const MESSAGES = {
  'member-missing': 'a required member is missing',
  'wrong-source': 'another run is named as the source',
  'no-sequence-number': 'atSequence is no sequence number',
  'kinds-equal': 'the two kinds of envelope do not differ',
  'kinds-swapped': 'the two kinds of envelope are swapped',
  'unknown-kind': 'a kind of envelope is neither valid nor refusal',
} as const;

interface WrongMember {
  readonly name: string;
  readonly expected: string;
  readonly actual: unknown;
  readonly code: keyof typeof MESSAGES;
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

function kindCode(original: unknown, replay: unknown, direction: Met['direction']): keyof typeof MESSAGES {
  if (original === replay) return 'kinds-equal';
  return original === direction.replay && replay === direction.original ? 'kinds-swapped' : 'unknown-kind';
}
