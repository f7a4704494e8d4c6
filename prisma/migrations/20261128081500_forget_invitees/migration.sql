-- An invitation ends with its acceptance: the account that it opened has what it said about the person.
DELETE FROM "invitations" WHERE "accepted_at" IS NOT NULL;
DELETE FROM "customer_invitations" WHERE "accepted_at" IS NOT NULL;
