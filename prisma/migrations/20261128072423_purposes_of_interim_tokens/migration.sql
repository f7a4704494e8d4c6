-- CreateEnum
CREATE TYPE "InterimPurpose" AS ENUM ('sign_in', 'identity');

-- AlterEnum
ALTER TYPE "PasskeyPurpose" ADD VALUE 'identity';

-- AlterTable
ALTER TABLE "interim_tokens" ADD COLUMN     "purpose" "InterimPurpose" NOT NULL DEFAULT 'sign_in';
