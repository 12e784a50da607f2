import { type Divergence, type LogDiff, type LogState, meaningOf } from '../event-log/index.ts';
import { excerpt } from '../report/escape.ts';

/** Characters of one host value on the page, so that it stays one screen. */
const SHOWN = 240;

/** Renders a comparison as one screen; `volatile` are the declared pointers. Host texts are escaped and cut. */
export function diffPage(diff: LogDiff, volatile: readonly string[]): string {
  const { determinism, first, reported } = diff;
  const lines = [
    `source  ${shown(determinism.sourceRunId)}`,
    `replay  ${shown(determinism.replayRunId)}`,
    '',
    ...(first === undefined ? [reported === undefined ? 'same: no divergence' : REPORTED] : divergenceLines(first)),
    ...(reported === undefined
      ? []
      : [`reported  ${excerpt(reported.type, 60)}, sequence ${reported.sequence} of the replay`]),
    '',
    `score     ${score(diff)}: ${determinism.matchedEvents} of ${determinism.comparedEvents} events match`,
    `masked    ${list(diff.masks, 'nothing')} (envelope only)`,
    `volatile  ${list(volatile, 'nothing')} (declared with --volatile)`,
    `renamed   ${diff.renamedIds} event ids, one to one; the run's own id in payloads`,
    ...endStates(diff),
  ];
  return lines.join('\n');
}

const REPORTED = "DIVERGED  the replay's own log reports it, and shows nothing else";

function divergenceLines(first: Divergence): readonly string[] {
  const { sequence, event, before } = first;
  const subject = event.source ?? event.replay;
  const node = subject?.nodeId === undefined ? '' : ` of node ${excerpt(subject.nodeId, 60)}`;
  return [
    `DIVERGED  ${first.class}: ${meaningOf(first.class)}`,
    `at        sequence ${place(sequence.source)} in the source, ${place(sequence.replay)} in the replay: ${excerpt(subject?.type ?? '', 60)}${node}`,
    `pointer   ${first.pointer === '' ? '(the whole event)' : excerpt(first.pointer, 120)}`,
    `source    ${'source' in first ? shown(first.source) : '(nothing)'}`,
    `replay    ${'replay' in first ? shown(first.replay) : '(nothing)'}`,
    ...(first.alsoAt.length === 0 ? [] : [`also at   ${excerpt(list(first.alsoAt, ''), SHOWN)}`]),
    ...stateLines(before),
  ];
}

function stateLines({ source, replay }: Divergence['before']): readonly string[] {
  const [a, b] = [state(source), state(replay)];
  return a === b ? [`before    ${a}, in both logs`] : [`before    source: ${a}`, `          replay: ${b}`];
}

function state({ status, variables, channels }: LogState): string {
  const parts = [`status ${status}`, `variables ${entries(variables)}`, `channels ${entries(channels)}`];
  return parts.join(', ');
}

function entries(values: ReadonlyMap<string, unknown>): string {
  return shown(Object.fromEntries(values));
}

function endStates({ stateDiff, first }: LogDiff): readonly string[] {
  if (first === undefined) return [];
  const places = stateDiff.map(({ pointer }) => pointer);
  return [`end state ${excerpt(places.length === 0 ? 'the same' : `differs at ${places.join(', ')}`, SHOWN)}`];
}

function score({ determinism }: LogDiff): string {
  const { matchedEvents, comparedEvents } = determinism;
  const rounded = (determinism.score ?? 0).toFixed(4);
  return rounded === '1.0000' && matchedEvents < comparedEvents ? '0.9999' : rounded;
}

function place(sequence: number | null): string {
  return sequence === null ? '(none)' : String(sequence);
}

function list(pointers: readonly string[], none: string): string {
  return pointers.length === 0 ? none : excerpt(pointers.join(', '), SHOWN);
}

function shown(value: unknown): string {
  return excerpt(JSON.stringify(value) ?? '(nothing)', SHOWN);
}
