/** RFC 2119 strength of a requirement. */
export type Level = 'MUST' | 'SHOULD' | 'MAY';
