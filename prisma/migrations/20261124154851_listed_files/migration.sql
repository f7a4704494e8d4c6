-- CreateTable
CREATE TABLE "listed_files" (
    "run" TIMESTAMPTZ(3) NOT NULL,
    "key" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "listed_files_pkey" PRIMARY KEY ("run","key")
);

-- Nothing in it is needed after a crash.
ALTER TABLE "listed_files" SET UNLOGGED;
