-- İ in an address is I from now on. Before, its lower case was i and U+0307, so `İsmail@` and `ismail@` were two accounts. An
-- account whose new key belongs to another account keeps the old one: nobody can receive its mail.
UPDATE users SET email_key = moved.new_key, email = replace(replace(email, 'İ', 'I'), 'i' || chr(775), 'i')
  FROM (SELECT DISTINCT ON (new_key) id, new_key
          FROM (SELECT id, replace(email_key, 'i' || chr(775), 'i') AS new_key
                  FROM users WHERE strpos(email_key, 'i' || chr(775)) > 0) AS keys
         WHERE NOT EXISTS (SELECT FROM users WHERE email_key = new_key)
         ORDER BY new_key, id) AS moved
 WHERE users.id = moved.id;

-- Zero-width characters behind an address were kept; the key never had them.
UPDATE users SET email = regexp_replace(email, '[\u200B-\u200F\u2060\uFEFF]+$', '')
 WHERE email ~ '[\u200B-\u200F\u2060\uFEFF]$';

UPDATE invitations SET email_key = replace(email_key, 'i' || chr(775), 'i') WHERE strpos(email_key, 'i' || chr(775)) > 0;
UPDATE customer_invitations SET email_key = replace(email_key, 'i' || chr(775), 'i')
 WHERE strpos(email_key, 'i' || chr(775)) > 0;
