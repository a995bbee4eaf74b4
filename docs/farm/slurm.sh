#!/bin/sh
#SBATCH --array=1-100%20
#SBATCH --cpus-per-task=4
#SBATCH --mem=4G
#SBATCH --time=00:30:00
#SBATCH --signal=B:TERM@30
# Each line of orders.txt is a folder with a part.stl: sbatch slurm.sh
steps=$PWD/plate.json
cd "$(sed -n "${SLURM_ARRAY_TASK_ID}p" orders.txt)" || exit 2
# exec: the signal goes to Printwright, which then leaves nothing half written.
exec printwright run "$steps" --json --threads "$SLURM_CPUS_PER_TASK" --max-memory 3G > result.jsonl
