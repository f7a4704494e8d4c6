#!/usr/bin/env bash
# Requests a certificate for each portal domain without one, and installs new and renewed ones for nginx.
# tellal-portals.timer runs it as root; certbot's own timer renews.
set -euo pipefail
cd /srv/tellal/current

domains=$(runuser -u tellal -- env HOME=/srv/tellal npm run --silent portals)
failed=0
for domain in $domains; do
  # Security: root writes to a path with this name, which comes from a database that the servers can write.
  [[ $domain =~ ^([a-z0-9-]+\.)+[a-z0-9-]+$ ]] || continue
  issued=/etc/letsencrypt/live/$domain
  served=/etc/nginx/portals/$domain
  if [ ! -e "$issued/privkey.pem" ]; then
    certbot certonly --non-interactive --quiet --webroot -w /var/www/html --cert-name "$domain" -d "$domain" || {
      failed=1
      continue
    }
  fi
  cmp --silent "$issued/fullchain.pem" "$served/fullchain.pem" && continue
  # nginx workers (www-data) open the files at each handshake.
  install -D -m 640 -g www-data "$issued/privkey.pem" "$served/privkey.pem"
  install -D -m 644 "$issued/fullchain.pem" "$served/fullchain.pem"
done
exit "$failed"
