"""The portable cache key of foreign_host.py (rfc-0041, the recipe): Python's standard library alone."""
import hashlib
import json
import math


def number_text(value):
    """A number as RFC 8785 writes it: the shortest digits, laid out as ECMAScript does."""
    number = float(value)
    if not math.isfinite(number):
        raise ValueError('no JSON number')
    if number == 0:
        return '0'
    mantissa, _, exponent = repr(abs(number)).partition('e')
    whole, _, part = mantissa.partition('.')
    digits = whole + ('' if part == '0' else part)
    point = int(exponent or 0) + len(whole) - (len(digits) - len(digits.lstrip('0')))
    digits = digits.strip('0')
    sign, count = '-' if number < 0 else '', len(digits)
    if count <= point <= 21:
        return sign + digits + '0' * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + '.' + digits[point:]
    if -6 < point <= 0:
        return sign + '0.' + '0' * -point + digits
    tail = '.' + digits[1:] if count > 1 else ''
    return '%s%se%s%d' % (sign, digits[0] + tail, '+' if point > 0 else '-', abs(point - 1))


def canonical(value):
    """A value as RFC 8785 (JCS) writes it; ValueError for what is no I-JSON."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, str):
        value.encode('utf-8')
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return '[' + ','.join(map(canonical, value)) + ']'
    return '{' + ','.join(canonical(name) + ':' + canonical(value[name]) for name in sorted(value, key=utf16)) + '}'


def utf16(text):
    return text.encode('utf-16-be', 'surrogatepass')


def cache_key(request, takes_anything):
    """The portable key of a request to a model (rfc-0041): SHA-256, in lowercase hex, of its recipe fields.

    ValueError for what is no request, unless anything is taken."""
    fields = ('provider', 'model', 'messages', 'tools', 'temperature', 'topP', 'topK', 'responseFormat')
    chosen = {name: request[name] for name in fields if name in request}
    if not takes_anything and not all(isinstance(chosen.get(name), kind) for name, kind in
               (('provider', str), ('model', str), ('messages', list))):
        raise ValueError('no request')
    if 'tools' in chosen:
        chosen['tools'] = sorted(chosen['tools'], key=lambda tool: utf16(tool['name']))
    return hashlib.sha256(canonical(chosen).encode()).hexdigest()
