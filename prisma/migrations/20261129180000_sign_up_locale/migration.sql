-- AlterTable
ALTER TABLE "users" ADD COLUMN     "sign_up_locale" TEXT;

-- The consents of a sign-up have its language. Turkish is left out: there it may also be the default of an API call.
UPDATE "users" u SET "sign_up_locale" = c."locale"
  FROM (SELECT DISTINCT ON ("user_id") "user_id", "locale"
          FROM "consent_records" WHERE "source" IN ('register', 'provider', 'invitation')
         ORDER BY "user_id", "id") AS c
 WHERE c."user_id" = u."id" AND c."locale" <> 'tr' AND u."anonymised_at" IS NULL;
