-- DropForeignKey
ALTER TABLE "passkey_challenges" DROP CONSTRAINT "passkey_challenges_user_id_fkey";
