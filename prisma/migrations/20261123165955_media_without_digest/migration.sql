-- AlterTable
ALTER TABLE "media_files" DROP COLUMN "sha256";
