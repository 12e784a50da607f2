import { respond } from '../../http/answers.ts';
import type { Mutant } from '../mutant.ts';

const CONFIRMATION = /^\/v1\/runs\/[^/]+\/interrupts\/charge$/u;

export const confirmationLeadsNowhere: Mutant = {
  id: 'confirmation-leads-nowhere',
  breaks: 'A confirmation is accepted, and the run waits on.',
  kills: ['once.verification-human.resume'],
  parts: () => ({
    middleware: (next) => (request) =>
      CONFIRMATION.test(new URL(request.url).pathname) ? respond({ status: 202, body: {} }) : next(request),
  }),
};
