import { isObject } from '../../reference-host/json.ts';
import { spoilt, type Behaviour } from './behaviour.ts';

const MIB = 1024 * 1024;
const REQUEST = '{&quot;fromSeq&quot;:1,&quot;mode&quot;:&quot;replay&quot;}';

/** What a host sends as pages of its Run Timeline View. */
const PAGES: Readonly<Record<string, () => string>> = {
  'tags-without-end': () => '<a b="'.repeat(MIB),
  'attributes-without-end': () => `<a ${'b '.repeat(3 * MIB)}`,
  'braces-without-end': () => '{"fromSeq":'.repeat(MIB / 2),
  'comments-without-end': () => '<!--<script>'.repeat(MIB / 2),
  'requests-30000': () => `<p>${REQUEST.repeat(30_000)}`,
  'attribute-of-megabytes': () => `<form action="${'x'.repeat(6 * MIB)}">`,
  entities: () => '&#x41;&lt;&quot'.repeat(MIB / 4),
};

/** Templates that lead elsewhere, or nowhere. */
const TEMPLATES: Readonly<Record<string, unknown>> = {
  'template-elsewhere': 'http://127.0.0.2:9/{runId}',
  'template-of-megabytes': `/${'{runId}'.repeat(300_000)}`,
  'template-of-controls': '/\r\nhost: elsewhere/{runId}\u0000',
  'template-of-no-text': { run: ['/{runId}'] },
};

function viewing(fork: unknown, page: string): Behaviour['start'] {
  return spoilt({
    discovery: (document) => {
      const extensions = isObject(document['extensions']) ? document['extensions'] : {};
      const view = { supported: true, fork, runs: fork };
      return { ...document, extensions: { ...extensions, 'x-openwop-run-timeline': view } };
    },
    middleware: (next) => (request) =>
      new URL(request.url).pathname.startsWith('/view/')
        ? new Response(page, { headers: { 'content-type': 'text/html' } })
        : next(request),
  });
}

const flags = ['--scenario', 'timeline.deep-links'];

/** Hosts whose Run Timeline View is made to harm whoever reads it. */
export const VIEW_BEHAVIOURS: readonly Behaviour[] = [
  ...Object.entries(PAGES).map(([name, page]) => ({
    id: `view.${name}`,
    flags,
    start: () => viewing('/view/{runId}/{mode}/{fromSeq}', page())(),
  })),
  ...Object.entries(TEMPLATES).map(([name, fork]) => ({ id: `view.${name}`, flags, start: viewing(fork, '') })),
];
