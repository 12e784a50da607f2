import { defects as digest } from './digest.ts';
import { defects as fields } from './fields.ts';
import { defects as messages } from './messages.ts';
import { defects as nodes } from './nodes.ts';
import { defects as order } from './order.ts';
import { defects as requests } from './requests.ts';
import { defects as strings } from './strings.ts';
import { defects as transport } from './transport.ts';

/** The mutants that checks of cache-key-portable have to kill. */
export const cacheKeyPortableMutants = [fields, order, messages, strings, requests, digest, transport, nodes];
