'use strict';

// Checks that a certificate belongs to the host of the connection. The rules are those of RFC 6125, with the
// restrictions of Node's tests: a wildcard matches only in the leftmost label, and the names of the subject count only
// if there are no alternative names of a host.

const net = require('net');
const { domainToASCII } = require('url');
const { ERR_TLS_CERT_ALTNAME_FORMAT, ERR_TLS_CERT_ALTNAME_INVALID } = require('internal/tls/errors');

// 'DNS:a, IP Address:b, ...' as pairs. A value may be quoted, as JSON is.
function alternativeNames(text) {
  const pairs = [];
  let rest = text;
  while (rest !== '') {
    const colon = rest.indexOf(':');
    if (colon < 0) {
      pairs.push([rest, '']);
      break;
    }
    const kind = rest.slice(0, colon);
    rest = rest.slice(colon + 1);
    let value;
    if (rest.startsWith('"')) {
      const quoted = /^"(?:[^"\\]|\\.)*"/.exec(rest);
      if (quoted === null) throw new ERR_TLS_CERT_ALTNAME_FORMAT();
      try {
        value = JSON.parse(quoted[0]);
      } catch {
        throw new ERR_TLS_CERT_ALTNAME_FORMAT();
      }
      rest = rest.slice(quoted[0].length);
      if (rest !== '' && !rest.startsWith(', ')) throw new ERR_TLS_CERT_ALTNAME_FORMAT();
      rest = rest.slice(2);
    } else {
      const end = rest.indexOf(', ');
      value = end < 0 ? rest : rest.slice(0, end);
      rest = end < 0 ? '' : rest.slice(end + 2);
    }
    pairs.push([kind, value]);
  }
  return pairs;
}

const plain = (name) => (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase().split('.');
const badLabel = (label) => label === '' || /[^\x21-\x7f]/.test(label);

function matches(host, pattern, wildcards) {
  if (!pattern) return false;
  const wanted = plain(host);
  const given = plain(pattern);
  if (wanted.length !== given.length || given.some(badLabel)) return false;
  for (let i = 1; i < wanted.length; i++) {
    if (wanted[i] !== given[i]) return false;
  }
  const [label] = given;
  const stars = label.split('*');
  if (stars.length === 1 || label.includes('xn--')) return wanted[0] === label;
  // One star, and never for a whole top-level domain.
  if (!wildcards || stars.length > 2 || given.length <= 2) return false;
  const [before, after] = stars;
  return wanted[0].length >= before.length + after.length && wanted[0].startsWith(before) && wanted[0].endsWith(after);
}

function sameAddress(a, b) {
  if (a === b) return true;
  if (net.isIPv6(a) && net.isIPv6(b)) return new URL(`http://[${a}]`).host === new URL(`http://[${b}]`).host;
  return false;
}

function check(name, cert) {
  const { subject, subjectaltname } = cert;
  const hosts = [];
  const addresses = [];
  const host = `${name}`;
  if (subjectaltname) {
    for (const [kind, value] of alternativeNames(subjectaltname)) {
      if (kind === 'DNS') hosts.push(value);
      else if (kind === 'IP Address') addresses.push(value);
    }
  }
  if (net.isIP(host)) {
    if (addresses.some((address) => net.isIP(address) && sameAddress(host, address))) return undefined;
    return `IP: ${host} is not in the cert's list: ${addresses.filter((address) => net.isIP(address)).join(', ')}`;
  }
  const ascii = domainToASCII(host) || host;
  const full = host.endsWith('.') ? host : `${host}.`;
  if (hosts.length > 0) {
    return hosts.some((pattern) => matches(ascii, pattern, true))
      ? undefined
      : `Host: ${full} is not in the cert's altnames: ${subjectaltname}`;
  }
  const common = subject?.CN;
  if (subject !== undefined && subject !== null && common !== undefined) {
    const good = Array.isArray(common)
      ? common.some((item) => matches(ascii, item, true))
      : matches(ascii, common, true);
    return good ? undefined : `Host: ${full} is not cert's CN: ${common}`;
  }
  return 'Cert does not contain a DNS name';
}

function checkServerIdentity(hostname, cert) {
  const reason = check(hostname, cert);
  return reason === undefined ? undefined : ERR_TLS_CERT_ALTNAME_INVALID(reason, `${hostname}`, cert);
}

module.exports = { checkServerIdentity };
