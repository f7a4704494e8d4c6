#!/bin/bash
# Stand-in for certbot with a local authority. Checks the HTTP challenge before it signs, as a real one does.
set -euo pipefail
[ "$1" = certonly ]
shift
while [ $# -gt 0 ]; do
  case "$1" in
  -d | --domain) domain=$2 && shift 2 ;;
  -w | --webroot-path) webroot=$2 && shift 2 ;;
  --deploy-hook) hook=$2 && shift 2 ;;
  -m | --cert-name) shift 2 ;;
  --webroot | --non-interactive | --agree-tos | --quiet) shift ;;
  *) echo "certbot: unknown option $1" >&2 && exit 2 ;;
  esac
done

proof=$webroot/.well-known/acme-challenge/proof
mkdir -p "$(dirname "$proof")"
openssl rand -hex 16 > "$proof"
if [ "$(curl -s "http://$domain/.well-known/acme-challenge/proof")" != "$(cat "$proof")" ]; then
  echo "certbot: http://$domain/.well-known/acme-challenge/proof does not return the proof" >&2
  exit 1
fi

live=/etc/letsencrypt/live/$domain
authority=/etc/authority
mkdir -p "$live"
chmod 700 /etc/letsencrypt/live
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$live/privkey.pem" -subj "/CN=$domain" 2> /dev/null |
  openssl x509 -req -CA "$authority/root.pem" -CAkey "$authority/root.key" -CAcreateserial -days 90 \
    -extfile <(printf 'subjectAltName=DNS:%s' "$domain") -out "$live/cert.pem" 2> /dev/null
cp "$live/cert.pem" "$live/fullchain.pem"
RENEWED_LINEAGE=$live RENEWED_DOMAINS=$domain bash -c "${hook:-true}"
