import type { Defect, Defects } from '../mutant.ts';

const ROW = 'telemetry.replay-span';

/** A defect of the spans of forks: an attribute is another one, or is missing. */
function saying(breaks: string, check: string, name: string, value?: string | number): Defect {
  return {
    breaks,
    kills: [`${ROW}.${check}`],
    parts: () => ({
      span: (attributes) => {
        if (!Object.hasOwn(attributes, name)) return attributes;
        const others = Object.entries(attributes).filter(([key]) => key !== name);
        return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
      },
    }),
  };
}

const [SOURCE, FROM_SEQ, MODE] = ['source_run_id', 'from_seq', 'mode'].map((name) => `openwop.replay.${name}`) as [
  string,
  string,
  string,
];

/** What the spans of forks say. */
export const defects: Defects = {
  'span-without-source': saying('The span of a fork does not name its source.', 'source', SOURCE),
  'span-of-another-source': saying('The span of a fork names another source.', 'source', SOURCE, 'run_0'),
  'span-without-from-seq': saying('The span of a fork does not say where it began.', 'from-seq', FROM_SEQ),
  'span-from-zero': saying('The span of every fork says that it began at zero.', 'from-seq', FROM_SEQ, 0),
  'span-without-mode': saying('The span of a fork does not say its mode.', 'mode', MODE),
  'span-always-replay': saying('The span of a branch says that it is a replay.', 'mode', MODE, 'replay'),
  'span-without-link': {
    breaks: 'The span of a fork is linked to nothing.',
    kills: [`${ROW}.link`],
    parts: () => ({ spanPlace: (place) => ({ ...place, links: [] }) }),
  },
  'span-linked-elsewhere': {
    breaks: "The span of a fork is linked to a span of its source's trace that there is not.",
    kills: [`${ROW}.link`],
    parts: () => ({
      spanPlace: (place) => ({
        ...place,
        links: place.links.map((link) => ({ ...link, spanId: '0'.repeat(15) + '1' })),
      }),
    }),
  },
  'span-child-of-source': {
    breaks: "The span of a fork is a child of its source's, to which it is linked, too.",
    kills: [`${ROW}.link`],
    parts: () => ({
      spanPlace: ({ links: [source], ...place }) =>
        source === undefined
          ? { ...place, links: [] }
          : { traceId: source.traceId, parentSpanId: source.spanId, links: [source] },
    }),
  },
};
