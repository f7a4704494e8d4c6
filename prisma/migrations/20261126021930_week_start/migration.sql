-- AlterTable
ALTER TABLE "users" ADD COLUMN     "week_start" TEXT NOT NULL DEFAULT 'auto';
