import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Progress } from '../runner/run.ts';
import { watchProgress, type Watched } from './progress.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const SUITES = [
  { id: 'discovery', scenarios: [{ id: 'd1' }] },
  { id: 'fork-contract', scenarios: [{ id: 'f1' }, { id: 'f2' }, { id: 'f\u001b[2J3' }] },
  { id: 'unplanned', scenarios: [{ id: 'u1' }] },
];
const PLANNED = ['d1', 'f1', 'f2', 'f\u001b[2J3'];

interface Shown extends Partial<Watched> {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

function watched({ isTTY = true, columns = 80, rows = 24, isPipeline = false, maxTimeMs = 600_000 }: Shown) {
  const written: string[] = [];
  const stream = { isTTY, columns, rows, write: (text: string) => written.push(text) > 0 } as Watched['stream'];
  const view = watchProgress({ stream, suites: SUITES, isPipeline, maxTimeMs });
  let done = 0;
  const say = (current: string, hasEnded: boolean): void => {
    if (hasEnded) done += 1;
    const progress: Progress = { done, total: PLANNED.length, current, hasEnded, scenarios: PLANNED };
    view.show(progress);
  };
  return { ...view, say, take: () => written.splice(0).join('') };
}

describe('progress on a terminal', () => {
  it('is a row for each suite that is driven, drawn over, with the time that is left once that can be told', () => {
    const view = watched({});
    view.say('d1', false);
    expect(view.take()).toBe(
      ['\r\u001b[J  discovery        0/1  d1', '  fork-contract    0/3', '0/4 scenarios · 0 s'].join('\n'),
    );
    view.say('d1', true);
    view.say('f1', false);
    view.say('f2', false);
    view.take();
    vi.advanceTimersByTime(3000);
    view.say('f1', true);
    view.say('f2', true);
    view.take();
    vi.advanceTimersByTime(1000);
    expect(view.take()).toBe(
      [
        '\r\u001b[2A\u001b[J  discovery        1/1',
        '  fork-contract    2/3',
        '3/4 scenarios · 4 s · about 1 s left',
      ].join('\n'),
    );
  });

  it('is wiped at the end, and not drawn again', () => {
    const view = watched({});
    view.say('d1', false);
    view.take();
    view.close();
    vi.advanceTimersByTime(5000);
    expect(view.take()).toBe('\r\u001b[2A\u001b[J');
  });

  it('is lifted for what is printed beside it, and drawn again below', () => {
    const view = watched({});
    view.say('d1', false);
    view.take();
    view.lift();
    view.lift();
    expect(view.take()).toBe('\r\u001b[2A\u001b[J');
    vi.advanceTimersByTime(1000);
    expect(view.take()).toMatch(/^\r\u001b\[J {2}discovery/u);
  });

  it('never wraps, is one line where there is no room for rows, and shows names as they are safe', () => {
    const narrow = watched({ columns: 12 });
    narrow.say('f\u001b[2J3', false);
    const lines = narrow.take().replace('\r\u001b[J', '').split('\n');
    expect(lines.map((line) => line.length <= 11)).toEqual([true, true, true]);
    const low = watched({ rows: 3 });
    low.say('d1', false);
    expect(low.take()).toBe('\r\u001b[J0/4 scenarios · 0 s');
    const wide = watched({});
    wide.say('f\u001b[2J3', false);
    expect(wide.take()).toContain(String.raw`0/3  f\u{1b}[2J3`);
  });

  it('does not promise more than the time that a run may take', () => {
    const view = watched({ maxTimeMs: 5000 });
    for (const id of PLANNED) view.say(id, false);
    for (const id of PLANNED.slice(0, 3)) view.say(id, true);
    view.take();
    vi.advanceTimersByTime(240_000);
    expect(view.take()).toMatch(/3\/4 scenarios · 4 min 0 s · about 0 s left$/u);
  });
});

describe('progress in a pipe', () => {
  it('is a line every ten seconds in a pipeline', () => {
    const view = watched({ isTTY: false, isPipeline: true });
    vi.advanceTimersByTime(10_000);
    expect(view.take()).toBe('openwop-conformance: nothing driven yet, 10 s\n');
    for (const id of PLANNED) view.say(id, false);
    view.say('d1', true);
    vi.advanceTimersByTime(9000);
    expect(view.take()).toBe('');
    vi.advanceTimersByTime(1000);
    expect(view.take()).toBe(
      `openwop-conformance: 1/4 scenarios, 20 s; under way: f1, f2, ${String.raw`f\u{1b}[2J3`}\n`,
    );
    view.close();
    vi.advanceTimersByTime(60_000);
    expect(view.take()).toBe('');
  });

  it('names five that are under way, and counts the others', () => {
    const view = watched({ isTTY: false, isPipeline: true });
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) view.say(id, false);
    vi.advanceTimersByTime(10_000);
    expect(view.take()).toContain('; under way: a, b, c, d, e and 2 more\n');
  });

  it('is nothing elsewhere', () => {
    const view = watched({ isTTY: false });
    view.say('d1', false);
    vi.advanceTimersByTime(60_000);
    view.close();
    expect(view.take()).toBe('');
  });
});
