import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, without } from './shared/key-parts.ts';

export const defaultTemperatureOmitted: Mutant = {
  id: 'default-temperature-omitted',
  breaks: 'A temperature of 1 counts as absent.',
  kills: [...OFFLINE, 'cache-key.omits-absent'],
  parts: projecting((projected) =>
    member(projected, 'temperature') === 1 ? without(projected, 'temperature') : projected,
  ),
};
