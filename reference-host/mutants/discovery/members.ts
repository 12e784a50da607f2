import type { JsonObject } from '../../json.ts';
import type { Defect, Defects } from '../mutant.ts';
import { EXECUTION_MODEL, advertising, advertisingWith } from '../shared/discovery-parts.ts';

/** A defect of the executionModel block: it has other members. */
function modelled(breaks: string, kills: readonly string[], members: JsonObject): Defect {
  return { breaks, kills, parts: advertisingWith(EXECUTION_MODEL, members) };
}

/** Members of the discovery document that are missing or of another type. */
export const defects: Defects = {
  'discovery-of-nothing': {
    breaks: 'The discovery document is an empty object.',
    kills: ['discovery.shape'],
    parts: () => ({ discovery: () => ({}) }),
  },
  'discovery-without-limits': {
    breaks: 'The required member limits is missing from the discovery document.',
    kills: ['discovery.shape'],
    parts: advertising(['limits'], () => undefined),
  },
  'discovery-without-protocol-version': {
    breaks: 'The required member protocolVersion is missing from the discovery document.',
    kills: ['discovery.shape'],
    parts: advertising(['protocolVersion'], () => undefined),
  },
  'discovery-limit-as-text': {
    breaks: 'A limit of the discovery document is a string instead of an integer.',
    kills: ['discovery.shape'],
    parts: advertisingWith(['limits'], { schemaRounds: '1' }),
  },
  'discovery-modes-as-text': {
    breaks: 'The replay modes are one string instead of a list.',
    kills: ['discovery.shape'],
    parts: advertisingWith(['replay'], { modes: 'replay' }),
  },
  'discovery-version-as-text': modelled('executionModel.version is the string "4".', ['discovery.execution-model'], {
    version: '4',
  }),
  'discovery-version-zero': modelled('executionModel.version is 0.', ['discovery.execution-model'], {
    version: 0,
  }),
  'discovery-version-fractional': modelled(
    'executionModel.version is 4.1, which is no integer.',
    ['discovery.execution-model'],
    { version: 4.1 },
  ),
  'discovery-model-supported-as-text': modelled(
    'executionModel.supported is the string "true".',
    ['discovery.execution-model'],
    { supported: 'true' },
  ),
  'discovery-model-supported-missing': {
    breaks: 'executionModel.supported is missing.',
    kills: ['discovery.execution-model', 'handoff.not-unless-supported'],
    parts: advertising([...EXECUTION_MODEL, 'supported'], () => undefined),
  },
  'discovery-feedback-as-text': {
    breaks: 'feedback.supported is the string "true".',
    kills: ['schema.discovery'],
    parts: advertisingWith(['feedback'], { supported: 'true' }),
  },
  'discovery-retention-window-as-text': {
    breaks: 'replay.retention.windowSeconds is a string.',
    kills: ['schema.discovery'],
    parts: advertisingWith(['replay', 'retention'], { windowSeconds: '3600' }),
  },
};
