# experiments
