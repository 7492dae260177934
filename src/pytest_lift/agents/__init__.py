"""The agents of the loop: generator, debugger and evaluator, with a model and without."""
