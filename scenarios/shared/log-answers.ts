import { member } from '../../src/contract/discovery.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { Exchange, HostHandle } from '../../src/host/client.ts';
import { answeredWith } from '../../src/host/exchanged.ts';
import { createLogReader } from '../../src/host/json.ts';
import { createStreamParser } from '../../src/host/log/connection.ts';
import { openStream } from '../../src/host/log/stream.ts';
import { isTerminal } from '../../src/host/log/shown.ts';
import { TRANSPORTS as WAYS } from '../../src/host/log/whole.ts';
import type { Probe } from '../../src/host/probe.ts';
import { eventsPath, pollPath } from '../../src/protocol/paths.ts';
import { isNoForm, isSuccess, isUnknownRun } from '../../src/protocol/status.ts';
import { shown } from './compare-runs.ts';

/** How a log is asked for: a host that has it in one form alone may refuse whoever names the other one, too. */
const [EITHER, ...ALONE] = [
  'application/json, text/event-stream;q=0.9',
  'application/json',
  'text/event-stream',
] as const;

/**
 * Asks for a log until it is given in one of its forms (wire-contract, Endpoints); the first answer where it is in none. A stream
 * may stay open behind the end of its run, where it is left.
 */
export function askInTurn(host: HostHandle, path: string): Promise<Exchange> {
  return inTurn((accept) => {
    let isOver = false;
    const read = createLogReader();
    const parser = createStreamParser(({ event: name = null, data }) => {
      const value = read(data);
      isOver ||= isTerminal({ id: null, name, data: value.ok ? (value.value as Json) : null });
    });
    return host.stream(
      { method: 'GET', path, headers: { accept } },
      { head: () => 'read', text: (chunk) => (parser.feed(chunk), isOver ? 'done' : 'more') },
    );
  });
}

/** The same for a way to ask of one's own, and with what is accepted at first. */
export async function inTurn(ask: (accept: string) => Promise<Exchange>, either: string = EITHER): Promise<Exchange> {
  const first = await ask(either);
  if (first.kind === 'failure' || !isNoForm(first.status)) return first;
  for (const form of ALONE) {
    const next = await ask(form);
    if (next.kind === 'response' && isSuccess(next.status)) return next;
  }
  return first;
}

/** The status with which each reading of a run's log was answered; null where there was no answer. */
export type LogAnswers = Readonly<Record<(typeof WAYS)[number], number | null>>;

/** Asks for a run's log in each way, once; what it holds is not looked at. */
export async function askForLog(
  probe: Pick<Probe, 'host'>,
  runId: string,
): Promise<{ readonly answers: LogAnswers; readonly exchanges: readonly string[] }> {
  const { exchange: sse } = await openStream(probe.host, runId).connect(() => true);
  const json = await probe.host.exchange({ method: 'GET', path: eventsPath(runId) });
  const poll = await probe.host.exchange({ method: 'GET', path: pollPath(runId) });
  const answers = { sse: answeredWith(sse), json: answeredWith(json), poll: answeredWith(poll) };
  return { answers, exchanges: [sse.id, json.id, poll.id] };
}

/** Whether every way was answered as for a run that is not there. */
export function isNowhere(answers: LogAnswers): boolean {
  return WAYS.every((way) => isUnknownRun(answers[way] ?? 0));
}

/** The ways in which one log was given while the other one was said not to be there; none where that one was given in any. */
export function waysMissing(answers: Json | undefined, others: Json | undefined): readonly string[] {
  if (WAYS.some((way) => isGiven(member(answers, way)))) return [];
  return WAYS.filter((way) => isGiven(member(others, way)) && isMissing(member(answers, way)));
}

function isGiven(status: unknown): boolean {
  return typeof status === 'number' && isSuccess(status);
}

function isMissing(status: unknown): boolean {
  return typeof status === 'number' && isUnknownRun(status);
}

/** Answers in words. */
export function answersText(answers: Json | undefined): string {
  return WAYS.map((way) => `${way} ${shown(member(answers, way) ?? undefined)}`).join(', ');
}
