import { describe, expect, it } from 'vitest';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import { recorded, run, short } from '../../test/fork-observations.ts';
import { EXCLUSIVE, type StreamModeObservation, UNKNOWN } from './observation.ts';
import { judgeModes, typesShown } from './stream-modes.ts';

const TYPES = ['run.started', 'node.started', 'run.completed'];

function mode(name: string | null, status: number | null, types: readonly string[] = []): StreamModeObservation {
  return { type: 'stream-mode', mode: name, status, types, exchanges: ['x1'] };
}

function modes(...read: readonly StreamModeObservation[]): string {
  return short(judgementOf('c', judgeModes(recorded(run('run'), ...read))));
}

describe('run.stream-modes', () => {
  const plain = mode(null, 200, TYPES);

  it('passes where such a mode is refused with 400, or ignored as a whole', () => {
    expect(modes(plain, mode(UNKNOWN, 400), mode(EXCLUSIVE, 422))).toBe('pass');
    expect(modes(plain, mode(UNKNOWN, 200, TYPES), mode(EXCLUSIVE, 400))).toBe('pass');
    expect(modes(plain, mode(UNKNOWN, 200, ['log.appended', ...TYPES]), mode(EXCLUSIVE, 400))).toBe('pass');
  });

  it('fails where it hides events, or is answered otherwise', () => {
    expect(modes(plain, mode(UNKNOWN, 200))).toBe('fail mode-half-obeyed');
    expect(modes(plain, mode(EXCLUSIVE, 200, ['run.started', 'run.completed']))).toBe('fail mode-half-obeyed');
    expect(modes(plain, mode(UNKNOWN, 500))).toBe('fail mode-answered-otherwise');
  });

  it('asks of the default mode, and of a union with it, what is shown without one, and of the others that they are answered', () => {
    for (const name of ['updates', 'updates,debug']) {
      expect(modes(plain, mode(name, 200, TYPES))).toBe('pass');
      expect(modes(plain, mode(name, 400))).toBe('pass');
      expect(modes(plain, mode(name, 200, TYPES.slice(1)))).toBe('fail mode-half-obeyed');
      expect(modes(plain, mode(name, 500))).toBe('fail mode-answered-otherwise');
    }
    for (const name of ['values', 'messages']) {
      for (const status of [200, 400, 404, 501, 503]) expect(modes(plain, mode(name, status))).toBe('pass');
      expect(modes(plain, mode(name, 500))).toBe('fail mode-answered-otherwise');
      expect(modes(plain, mode(name, null))).toBe('inconclusive');
    }
  });

  it('is undecided where nothing is shown without a mode, or nobody answered', () => {
    expect(modes(mode(null, 200), mode(UNKNOWN, 400))).toBe('inconclusive');
    expect(modes(mode(null, 406), mode(UNKNOWN, 406))).toBe('not-applicable');
    expect(modes(mode(null, 406), mode(UNKNOWN, 400))).toBe('inconclusive');
    expect(modes(plain, mode(UNKNOWN, null))).toBe('inconclusive');
    expect(modes(plain, mode(UNKNOWN, 503))).toBe('inconclusive');
    expect(modes(plain, { ...mode(UNKNOWN, 200, TYPES.slice(0, 1)), cut: true })).toBe('inconclusive');
    expect(modes({ ...plain, cut: true }, mode(UNKNOWN, 200))).toBe('inconclusive');
    expect(modes(plain)).toBe('inconclusive');
    expect(modes(mode(null, 404), mode(UNKNOWN, 404))).toBe('not-applicable');
  });
});

function message(id: string | null, type: string) {
  return { id, name: type, data: { type } };
}

describe('the types of what a reading in a stream mode shows', () => {
  const ping = { id: null, name: 'ping', data: { alive: true } };

  it('are those of its log, without what the stream says beside it', () => {
    const log = ['run.started', 'run.completed'].map((type, index) => message(String(index), type));
    expect(typesShown([ping, ...log, ping])).toEqual(['run.started', 'run.completed']);
    expect(typesShown([ping, message('0', 'run.started'), message(null, 'run.completed')])).toEqual([
      'run.started',
      'run.completed',
    ]);
    expect(typesShown([])).toEqual([]);
  });

  it('are all where nothing shows a number or an id', () => {
    expect(typesShown([ping, message(null, 'run.started')])).toEqual(['ping', 'run.started']);
  });
});
