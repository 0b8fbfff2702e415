/* The names in a certificate as text that cannot be misread.
 *
 * The issuer of a certificate chooses the text of a name. Names are listed with commas or on separate lines, so a name
 * with a comma, a quote or a control character is written as a JSON string: it cannot be read as two names. */
#include "runtime/bind/crypto/crypto.h"

#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

enum encoding { LATIN1, UTF8 };

static bool is_plain(unsigned char byte, enum encoding encoding) {
  return byte >= 0x80 ? encoding == UTF8 : byte >= ' ' && byte != 0x7F && strchr("\"\\,'", byte) == NULL;
}

static void write_value(BIO *out, const char *prefix, const unsigned char *bytes, size_t length,
                        enum encoding encoding) {
  bool plain = true;
  for (size_t i = 0; i < length; i++)
    plain = plain && is_plain(bytes[i], encoding);
  if (!plain)
    BIO_puts(out, "\"");
  BIO_puts(out, prefix);
  for (size_t i = 0; i < length; i++) {
    if (is_plain(bytes[i], encoding))
      BIO_write(out, bytes + i, 1);
    else if (bytes[i] == '"' || bytes[i] == '\\')
      BIO_printf(out, "\\%c", bytes[i]);
    else
      BIO_printf(out, "\\u%04x", bytes[i]);
  }
  if (!plain)
    BIO_puts(out, "\"");
}

/* Raw values are for lists, where no separator is needed. */
static void write_text(BIO *out, const char *prefix, const unsigned char *bytes, size_t length, enum encoding encoding,
                       bool raw) {
  if (!raw) {
    write_value(out, prefix, bytes, length, encoding);
    return;
  }
  BIO_puts(out, prefix);
  for (size_t i = 0; i < length; i++) {
    unsigned char two[] = {(unsigned char)(0xC0 | bytes[i] >> 6), (unsigned char)(0x80 | (bytes[i] & 0x3F))};
    BIO_write(out, encoding == UTF8 || bytes[i] < 0x80 ? bytes + i : two, encoding == UTF8 || bytes[i] < 0x80 ? 1 : 2);
  }
}

static void write_other(BIO *out, const OTHERNAME *other, bool raw) {
  static const struct {
    int nid, type;
    const char *prefix;
  } known[] = {
      {NID_id_on_SmtpUTF8Mailbox, V_ASN1_UTF8STRING, "SmtpUTF8Mailbox:"},
      {NID_XmppAddr, V_ASN1_UTF8STRING, "XmppAddr:"},
      {NID_SRVName, V_ASN1_IA5STRING, "SRVName:"},
      {NID_ms_upn, V_ASN1_UTF8STRING, "UPN:"},
      {NID_NAIRealm, V_ASN1_UTF8STRING, "NAIRealm:"},
  };
  int nid = OBJ_obj2nid(other->type_id);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (known[i].nid != nid || other->value->type != known[i].type)
      continue;
    const ASN1_STRING *value = other->value->value.asn1_string;
    write_text(out, known[i].prefix, ASN1_STRING_get0_data(value), (size_t)ASN1_STRING_length(value),
               known[i].type == V_ASN1_UTF8STRING ? UTF8 : LATIN1, raw);
    return;
  }
  BIO_puts(out, "<unsupported>");
}

static void write_address(BIO *out, const ASN1_OCTET_STRING *address) {
  const unsigned char *bytes = ASN1_STRING_get0_data(address);
  int length = ASN1_STRING_length(address);
  if (length == 4)
    BIO_printf(out, "%d.%d.%d.%d", bytes[0], bytes[1], bytes[2], bytes[3]);
  else if (length == 16)
    for (int i = 0; i < 16; i += 2)
      BIO_printf(out, i == 0 ? "%X" : ":%X", bytes[i] << 8 | bytes[i + 1]);
  else
    BIO_printf(out, "<invalid length=%d>", length);
}

static const char *kind_of(const GENERAL_NAME *name) {
  switch (name->type) {
  case GEN_EMAIL:
    return "email";
  case GEN_DNS:
    return "DNS";
  case GEN_URI:
    return "URI";
  case GEN_DIRNAME:
    return "DirName";
  case GEN_IPADD:
    return "IP Address";
  case GEN_RID:
    return "Registered ID";
  case GEN_OTHERNAME:
    return "othername";
  case GEN_X400:
    return "X400Name";
  default:
    return "EdiPartyName";
  }
}

static void write_name(BIO *out, const GENERAL_NAME *name, bool raw) {
  if (name->type == GEN_EMAIL || name->type == GEN_DNS || name->type == GEN_URI) {
    const ASN1_IA5STRING *text = name->d.ia5;
    write_text(out, "", ASN1_STRING_get0_data(text), (size_t)ASN1_STRING_length(text), LATIN1, raw);
  } else if (name->type == GEN_DIRNAME) {
    BIO *inner = BIO_new(BIO_s_mem());
    char *text;
    X509_NAME_print_ex(inner, name->d.dirn, 0,
                       XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB & ~(unsigned long)ASN1_STRFLGS_ESC_CTRL);
    long length = BIO_get_mem_data(inner, &text);
    write_text(out, "", (unsigned char *)text, (size_t)length, UTF8, raw);
    BIO_free(inner);
  } else if (name->type == GEN_IPADD) {
    write_address(out, name->d.ip);
  } else if (name->type == GEN_RID) {
    char number[128];
    OBJ_obj2txt(number, sizeof number, name->d.rid, 1);
    BIO_puts(out, number);
  } else if (name->type == GEN_OTHERNAME) {
    write_other(out, name->d.otherName, raw);
  } else {
    BIO_puts(out, "<unsupported>");
  }
}

static JSValueRef take_text(JSContextRef context, BIO *out) {
  char *bytes;
  long length = BIO_get_mem_data(out, &bytes);
  JSValueRef text = js_string_utf8(context, (unsigned char *)bytes, (size_t)length);
  BIO_free(out);
  return text;
}

JSValueRef js_crypto_alternative_names(JSContextRef context, X509 *certificate) {
  GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
  if (names == NULL)
    return js_undefined(context);
  BIO *out = BIO_new(BIO_s_mem());
  for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
    const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, i);
    BIO_printf(out, "%s%s:", i == 0 ? "" : ", ", kind_of(name));
    write_name(out, name, false);
  }
  GENERAL_NAMES_free(names);
  return take_text(context, out);
}

/* Lines of text, or a list of [what, name, what, name ...]. */
JSValueRef js_crypto_info_access(JSContextRef context, X509 *certificate, bool as_list) {
  AUTHORITY_INFO_ACCESS *accesses = X509_get_ext_d2i(certificate, NID_info_access, NULL, NULL);
  if (accesses == NULL)
    return js_undefined(context);
  JSObjectRef list = js_array(context, 0, NULL);
  BIO *out = BIO_new(BIO_s_mem());
  unsigned count = 0;
  for (int i = 0; i < sk_ACCESS_DESCRIPTION_num(accesses); i++) {
    const ACCESS_DESCRIPTION *access = sk_ACCESS_DESCRIPTION_value(accesses, i);
    BIO *line = as_list ? BIO_new(BIO_s_mem()) : out;
    if (!as_list && i > 0)
      BIO_puts(out, "\n");
    i2a_ASN1_OBJECT(line, access->method);
    BIO_printf(line, " - %s", kind_of(access->location));
    if (!as_list) {
      BIO_puts(line, ":");
      write_name(line, access->location, false);
      continue;
    }
    JSObjectSetPropertyAtIndex(context, list, count++, take_text(context, line), NULL);
    BIO *value = BIO_new(BIO_s_mem());
    write_name(value, access->location, true);
    JSObjectSetPropertyAtIndex(context, list, count++, take_text(context, value), NULL);
  }
  AUTHORITY_INFO_ACCESS_free(accesses);
  if (!as_list)
    return take_text(context, out);
  BIO_free(out);
  return list;
}

/* A name as a list of [kind, value, kind, value ...]. */
JSValueRef js_crypto_name_parts(JSContextRef context, const X509_NAME *name) {
  JSObjectRef list = js_array(context, 0, NULL);
  unsigned count = 0;
  for (int i = 0; i < X509_NAME_entry_count(name); i++) {
    const X509_NAME_ENTRY *entry = X509_NAME_get_entry(name, i);
    const ASN1_OBJECT *object = X509_NAME_ENTRY_get_object(entry);
    int nid = OBJ_obj2nid(object);
    char number[128];
    const char *kind = nid != NID_undef ? OBJ_nid2sn(nid) : number;
    if (nid == NID_undef)
      OBJ_obj2txt(number, sizeof number, object, 1);
    unsigned char *text = NULL;
    int length = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(entry));
    if (length < 0)
      continue;
    JSObjectSetPropertyAtIndex(context, list, count++, js_string(context, kind), NULL);
    JSObjectSetPropertyAtIndex(context, list, count++, js_string_utf8(context, text, (size_t)length), NULL);
    OPENSSL_free(text);
  }
  return list;
}
