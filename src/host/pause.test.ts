import { describe, expect, it } from 'vitest';
import { whenAborted } from './pause.ts';

describe('whenAborted', () => {
  it('calls all that wait, once, but for those that were forgotten', () => {
    const controller = new AbortController();
    const called: string[] = [];
    whenAborted(controller.signal, () => called.push('a'));
    const forget = whenAborted(controller.signal, () => called.push('b'));
    whenAborted(controller.signal, () => called.push('c'));
    forget();
    controller.abort();
    controller.abort();
    expect(called).toEqual(['a', 'c']);
  });

  it('keeps signals apart', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const called: string[] = [];
    whenAborted(one.signal, () => called.push('one'));
    whenAborted(other.signal, () => called.push('other'));
    other.abort();
    expect(called).toEqual(['other']);
  });
});
