import { AsyncLocalStorage } from 'node:async_hooks';
import { raw } from 'hono/html';
import { jsx } from 'hono/jsx';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MIXED } from '../../../test/sample-reports.ts';
import { testClient } from '../../../test/reference-client.ts';
import { hostTimeline } from '../../timeline/index.ts';
import { renderHtml } from '../html/index.tsx';
import { rendered } from './rendered.ts';

/** Sees what keeps values, of which nothing is left in this process. */
function keeping() {
  return vi.spyOn(AsyncLocalStorage.prototype, 'run').mockImplementation((_, work: () => unknown) => work());
}

const late = async () => raw('<b>late</b>');

afterEach(() => {
  vi.restoreAllMocks();
});

describe('rendered', () => {
  it('gives the text of an element and what is in it, escaped', () => {
    const element = jsx('p', { title: '"' }, 'a<b', jsx('b', {}, 'c'), null, 1);
    expect(rendered(element)).toBe('<p title="&quot;">a&lt;b<b>c</b>1</p>');
  });

  it('refuses what waits for something', () => {
    expect(() => rendered(jsx('p', {}, jsx(late, {})))).toThrow('waits for something');
  });
});

describe('no page keeps values for components that wait, for which every promise of the process would be followed', () => {
  it('neither a report', () => {
    const run = keeping();
    expect(renderHtml(MIXED)).toContain('<svg');
    expect(run).not.toHaveBeenCalled();
    String(jsx('p', {}, 'by itself it does'));
    expect(run).toHaveBeenCalled();
  });

  it('nor those of the Timeline View', async () => {
    const client = testClient({ pages: hostTimeline });
    const run = keeping();
    const { runId } = await client.run('conformance-noop');
    for (const path of ['/', `/runs/${runId}`, `/ui/runs/${runId}`, `/runs/${runId}?fork=replay&fromSeq=1`]) {
      expect((await client.get(path)).status).toBe(200);
    }
    expect(run).not.toHaveBeenCalled();
  });
});
