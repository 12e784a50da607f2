import { listed } from '../contract/listed.ts';
import type { Progress } from '../runner/run.ts';
import { escapeTerminal } from '../report/escape.ts';
import { columnsOf } from '../report/wrap.ts';

/** Milliseconds between two lines of a pipeline's log, and between two looks at a terminal's clock. */
const LOG_MS = 10_000;
const TICK_MS = 1_000;
/** What is left is estimated from so many scenarios that have ended, and after so long. */
const ENOUGH = { scenarios: 3, milliseconds: 2_000 };
/** Scenarios under way that a line names. */
const NAMED = 5;

/** What is shown while a run goes on. */
export interface ProgressView {
  readonly show: (progress: Progress) => void;
  /** Wipes away what is drawn until something is shown again. */
  readonly lift: () => void;
  /** Leaves nothing behind on a terminal. */
  readonly close: () => void;
}

/** What a view of a run's progress has to know. */
export interface Watched {
  /** Where it is shown: drawn over on a terminal. */
  readonly stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'rows' | 'write'>;
  /** The suites, each with the ids of its scenarios. */
  readonly suites: readonly { readonly id: string; readonly scenarios: readonly { readonly id: string }[] }[];
  /** Whether what is no terminal is the log of a pipeline, which takes a line every ten seconds. */
  readonly isPipeline: boolean;
  /** After which nothing more is driven. */
  readonly maxTimeMs: number;
}

const SILENT: ProgressView = { show: () => undefined, lift: () => undefined, close: () => undefined };

/** A view of a run's progress: a row for each suite on a terminal, lines in a pipeline's log, nothing elsewhere. */
export function watchProgress(watched: Watched): ProgressView {
  if (watched.stream.isTTY) return onTerminal(watched);
  return watched.isPipeline ? inLog(watched) : SILENT;
}

function inLog({ stream, maxTimeMs }: Watched): ProgressView {
  const run = followed(maxTimeMs);
  const timer = setInterval(() => {
    const named = listed(run.underWay.map(escapeTerminal), NAMED);
    const names = named === '' ? '' : `; under way: ${named}`;
    stream.write(`openwop-conformance: ${run.counted()}, ${run.times().join(', ')}${names}\n`);
  }, LOG_MS).unref();
  return { show: run.follow, lift: () => undefined, close: () => clearInterval(timer) };
}

function onTerminal({ stream, suites, maxTimeMs }: Watched): ProgressView {
  const run = followed(maxTimeMs);
  let drawn = 0;
  const erase = (): string => `\r${drawn > 1 ? `\u001b[${drawn - 1}A` : ''}\u001b[J`;
  const draw = (): void => {
    if (run.latest === undefined) return;
    const width = (stream.columns > 0 ? stream.columns : 80) - 1;
    const rows = suiteRows(run, suites);
    const last = `${run.counted()} · ${run.times().join(' · ')}`;
    // What does not fit cannot be drawn over.
    const lines = rows.length + 1 < (stream.rows > 0 ? stream.rows : 24) ? [...rows, last] : [last];
    stream.write(erase() + lines.map((line) => cut(line, width)).join('\n'));
    drawn = lines.length;
  };
  const timer = setInterval(draw, TICK_MS).unref();
  const lift = (): void => {
    if (drawn > 0) stream.write(erase());
    drawn = 0;
  };
  return {
    show: (progress) => {
      run.follow(progress);
      draw();
    },
    lift,
    close: () => {
      clearInterval(timer);
      lift();
    },
  };
}

/** A row for each suite that is driven: how much of it, and what of it is under way. */
function suiteRows({ latest, ended, underWay }: Followed, suites: Watched['suites']): readonly string[] {
  const planned = new Set(latest?.scenarios);
  const driven = suites
    .map(({ id, scenarios }) => ({ id, own: scenarios.map((each) => each.id).filter((each) => planned.has(each)) }))
    .filter(({ own }) => own.length > 0);
  const width = Math.max(0, ...driven.map(({ id }) => id.length));
  return driven.map(({ id, own }) => {
    const done = `${own.filter((each) => ended.has(each)).length}/${own.length}`;
    const now = own.filter((each) => underWay.includes(each)).map(escapeTerminal);
    return `  ${id.padEnd(width)}  ${done.padStart(5)}  ${now.join(', ')}`.trimEnd();
  });
}

/** A line of at most so many columns, so that it never wraps. */
function cut(line: string, width: number): string {
  let kept = line;
  while (columnsOf(kept) > width) kept = kept.slice(0, -1);
  return kept;
}

/** What is known of a run while it goes on. */
interface Followed {
  readonly latest: Progress | undefined;
  readonly ended: ReadonlySet<string>;
  readonly underWay: readonly string[];
  readonly follow: (progress: Progress) => void;
  /** `3/12 scenarios` */
  counted(): string;
  /** `12 s`, and `about 40 s left` as soon as that can be said. */
  times(): readonly string[];
}

function followed(maxTimeMs: number): Followed {
  const [start, ended, underWay] = [performance.now(), new Set<string>(), new Set<string>()];
  let latest: Progress | undefined;
  return {
    get latest() {
      return latest;
    },
    ended,
    get underWay() {
      return [...underWay];
    },
    follow: (progress) => {
      latest = progress;
      underWay[progress.hasEnded ? 'delete' : 'add'](progress.current);
      if (progress.hasEnded) ended.add(progress.current);
    },
    counted: () => (latest === undefined ? 'nothing driven yet' : `${latest.done}/${latest.total} scenarios`),
    times: () => {
      const passed = performance.now() - start;
      const { done = 0, total = 0 } = latest ?? {};
      if (done < ENOUGH.scenarios || done === total || passed < ENOUGH.milliseconds) return [seconds(passed)];
      const left = Math.max(0, Math.min((passed / done) * (total - done), maxTimeMs - passed));
      return [seconds(passed), `about ${seconds(left)} left`];
    },
  };
}

function seconds(milliseconds: number): string {
  const whole = Math.round(milliseconds / 1000);
  return whole < 120 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
