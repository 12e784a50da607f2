import { listed } from '../../src/contract/listed.ts';
import { fail, isOutcome, notApplicable, type Outcome, pass, undecided } from '../../src/contract/outcome.ts';
import { answeredWith } from '../../src/host/exchanged.ts';
import { readConnections } from '../../src/host/log/connection.ts';
import { readPage } from '../../src/host/log/pages.ts';
import { isOfLog, isTerminal, type Shown, typeOf } from '../../src/host/log/shown.ts';
import type { Probe } from '../../src/host/probe.ts';
import { eventsPath } from '../../src/protocol/paths.ts';
import { isMalformed, isNoRoute, isServerError, saysNothing } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { need } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import { allPass } from '../shared/settle.ts';
import { wrong } from './diagnoses.ts';
import { EXCLUSIVE, type StreamModeObservation, UNKNOWN } from './observation.ts';

/** The modes that show what is shown without one: the default one, and a union with it. */
const WHOLE: readonly string[] = ['updates', 'updates,debug'];
/** The modes that show some of it, each what it is for: how much that is, no document says. */
const PARTIAL: readonly string[] = ['values', 'messages'];

/** The status for what is not there in the form that was asked for. */
const NOT_SO = 406;

type ModeRead = Recorded<StreamModeObservation>;

/** Judges modes that there are not, and those that there are, beside the log as it is shown where no mode is named (wire-contract, SSE). */
export function judgeModes(recorded: Recordings): Outcome {
  const runs = need(recorded, 'run');
  if (isOutcome(runs)) return runs;
  const read = ofType<StreamModeObservation>(recorded, 'stream-mode');
  const plain = read.find(({ mode }) => mode === null);
  // What is there in another form, and in this one under no mode, is no stream either.
  const isOnlyListed = read.every(({ status }) => status === NOT_SO);
  const isStreamed = ofType<ReadingObservation>(recorded, 'reading').some(({ transport }) => transport === 'sse');
  if (typeof plain?.status === 'number' && (isNoRoute(plain.status) || (isOnlyListed && !isStreamed))) {
    return notApplicable(`the host has no stream: GET /v1/runs/{runId}/events answers ${plain.status}`, [plain]);
  }
  if (plain?.status !== 200 || plain.types.length === 0) {
    const how = plain === undefined ? 'was not read' : `was answered with ${String(plain.status)}`;
    return undecided(`GET /v1/runs/{runId}/events without a streamMode ${how}`, [runs.run, ...read]);
  }
  if (plain.cut === true) return undecided('the events without a streamMode were not shown to their end', [plain]);
  return allPass(read.filter((each) => each !== plain).map((each) => judgeMode(each, plain)));
}

function judgeMode(read: ModeRead, plain: ModeRead): Outcome {
  const { mode, status, types } = read;
  if (mode !== null && PARTIAL.includes(mode)) return judgePartial(read, plain);
  const requested = `streamMode=${String(mode)}`;
  if (status === null) return undecided(`${requested} got no answer`, [read]);
  if (read.cut === true) return undecided(`${requested} was not shown to its end`, [read]);
  if (saysNothing(status, 'refusal')) return undecided(`${requested} was answered with ${status}`, [read]);
  const evidence = [read, plain];
  if (isMalformed(status) || (status === 200 && holds(types, plain.types))) return pass(evidence);
  const expected = `400 for ${requested}, or the ${plain.types.length} events that are shown without it`;
  if (status !== 200)
    return fail({ diagnosis: wrong('mode-answered-otherwise'), expected, actual: `${status}` }, evidence);
  const actual = `200 with ${types.length} events: ${listed(types, 8) || 'none'}`;
  return fail({ expected, actual, diagnosis: wrong('mode-half-obeyed') }, evidence);
}

/** A mode that the wire names shows what it is for, or is refused: whoever stumbles over it answers nobody who asks for it. */
function judgePartial(read: ModeRead, plain: ModeRead): Outcome {
  const { mode, status } = read;
  const requested = `streamMode=${String(mode)}`;
  if (status === null) return undecided(`${requested} got no answer`, [read]);
  if (!isServerError(status)) return pass([read, plain]);
  return fail(
    { diagnosis: wrong('mode-answered-otherwise'), expected: `200, or a 4xx, for ${requested}`, actual: `${status}` },
    [read, plain],
  );
}

/** Whether a list holds the items of another one, in their order. */
function holds(types: readonly string[], wanted: readonly string[]): boolean {
  let at = 0;
  for (const type of types) if (type === wanted[at]) at += 1;
  return at === wanted.length;
}

/** A log without a mode and in each of them, up to its end. */
export function readModes(probe: Probe, runId: string): readonly Promise<StreamModeObservation>[] {
  return [null, UNKNOWN, EXCLUSIVE, ...WHOLE, ...PARTIAL].map((mode) => readMode(probe, runId, mode));
}

/** A log as a stream mode shows it, up to its end: as a stream, or as a document where the host answers with one. */
async function readMode(probe: Probe, runId: string, mode: string | null): Promise<StreamModeObservation> {
  const path = eventsPath(runId) + (mode === null ? '' : `?streamMode=${mode}`);
  const shown: Shown[] = [];
  const { isStream, isCut, exchanges } = await readConnections(probe.host, path, {
    take: (message) => (shown.push(message), isTerminal(message) ? 'done' : 'more'),
    isEnough: () => shown.some(isTerminal),
  });
  const [exchange] = exchanges;
  const page = isStream ? undefined : readPage(exchange, path);
  const paged = page?.ok === true ? page.events.map((data) => ({ id: null, name: null, data }) as Shown) : [];
  const types = typesShown([...shown, ...paged]);
  const status = answeredWith(exchange);
  return {
    type: 'stream-mode',
    mode,
    status,
    types,
    exchanges: exchanges.map(({ id }) => id),
    ...(isCut && { cut: true }),
  };
}

/**
 * The types of what a reading shows of its log. Notices of the stream itself may come in one reading and not in another; where nothing
 * shows a number or an id, all counts.
 */
export function typesShown(messages: readonly Shown[]): readonly string[] {
  const isNumbered = messages.some(isOfLog);
  return messages.flatMap((each) => (isNumbered && !isOfLog(each) && !isTerminal(each) ? [] : [typeOf(each) ?? '']));
}
