import type { Mutant } from '../mutant.ts';

export const annotationsWrittenIntoTheLog: Mutant = {
  id: 'annotations-written-into-the-log',
  breaks: 'An annotation is an event of the log of its run.',
  kills: ['annotation.not-an-event.log'],
  parts: ({ sideResources }) => ({
    sideResources: {
      ...sideResources,
      logged: (annotation) => [{ type: 'run.annotated', payload: annotation }],
    },
  }),
};
