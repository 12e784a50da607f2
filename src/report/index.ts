import type { Reporter } from './reporter.ts';

/** The formats of `--reporter`, by name: each is loaded where it is wanted. */
export const REPORTERS: ReadonlyMap<string, () => Promise<Reporter>> = new Map<string, () => Promise<Reporter>>([
  ['terminal', async () => ({ render: (await import('./terminal.ts')).renderTerminal })],
  ['json', async () => ({ render: (await import('./json.ts')).renderJson })],
  [
    'html',
    async () => {
      const { renderHtml } = await import('./html/index.tsx');
      return { render: (report, { records }) => renderHtml(report, records), needsFile: true };
    },
  ],
  ['markdown', async () => ({ render: (await import('./markdown.ts')).renderMarkdown })],
  ['github', async () => (await import('./github.ts')).github],
  ['sarif', async () => ({ render: (await import('./sarif.ts')).renderSarif })],
  ['tap', async () => ({ render: (await import('./tap.ts')).renderTap })],
  ['junit', async () => ({ render: (await import('./junit.ts')).renderJunit })],
]);
